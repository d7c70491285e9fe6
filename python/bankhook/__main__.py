# SPDX-License-Identifier: MIT
"""`python -m bankhook` is the command `bankhook`."""

from bankhook.cli import main

if __name__ == "__main__":
    main()
