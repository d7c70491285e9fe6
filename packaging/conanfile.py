# SPDX-License-Identifier: MIT
"""The recipe of Conan: `conan create packaging` makes a package of the headers."""

from pathlib import Path

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.files import copy, load

ROOT = ".."


class Bankhook(ConanFile):
    """Headers, which depend on nothing and are the same for every setting."""

    name = "bankhook"
    license = "MIT"
    description = "Typed, checked values for bank-connection and purchase-tracking webhook events"
    topics = ("webhooks", "json", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    no_copy_source = True

    def set_version(self) -> None:
        text = load(self, str(Path(self.recipe_folder, ROOT, "include", "bankhook", "base", "version.hpp")))
        self.version = text.partition('version = "')[2].partition('"')[0]

    def export_sources(self) -> None:
        for pattern in ("include/*.hpp", "LICENSE"):
            copy(self, pattern, Path(self.recipe_folder, ROOT), self.export_sources_folder)

    def validate(self) -> None:
        check_min_cppstd(self, 23)

    def package(self) -> None:
        copy(self, "*.hpp", Path(self.source_folder, "include"), Path(self.package_folder, "include"))
        copy(self, "LICENSE", self.source_folder, Path(self.package_folder, "licenses"))

    def package_info(self) -> None:
        self.cpp_info.bindirs = self.cpp_info.libdirs = []

    def package_id(self) -> None:
        self.info.clear()
