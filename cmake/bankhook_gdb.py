# SPDX-License-Identifier: MIT
"""Printers for gdb: values of bankhook as JSON has them, in programs with libstdc++. `(gdb) source bankhook_gdb.py`."""

import gdb
import gdb.printing


def open_enum(value):
    """Return the name of an enumerator, or the text of a value that is not listed."""
    return str(value["value_"]).rpartition("::")[2] if value["is_known_"] else value["unknown_"]


def optional(value):
    """Return what is in a nullable or maybe_absent, or the word for nothing."""
    held = value["held_"]["_M_payload"]
    if held["_M_engaged"]:
        return held["_M_payload"]["_M_value"]
    return "null" if "::nullable<" in str(value.type.strip_typedefs()) else "absent"


def decimal(value):
    """Return the number with the digits that were written: 19.90."""
    unscaled, scale = int(value["unscaled_"]), int(value["scale_"])
    if not 0 <= scale <= 32:
        return f"{unscaled}e{-scale}"
    digits = str(abs(unscaled)).rjust(scale + 1, "0")
    point = len(digits) - scale
    return "-" * (unscaled < 0) + digits[:point] + "." * (scale > 0) + digits[point:]


def day(value):
    """Return a date: 2026-05-03."""
    return "{:04}-{:02}-{:02}".format(*(int(value[part][part]) for part in ("_M_y", "_M_m", "_M_d")))


def timestamp(value):
    """Return a Timestamp or LocalTimestamp with the fraction digits and the offset that were written."""
    when, minutes = value["value_"], int(value["offset_minutes_"])
    clock = ":".join(f"{int(when[part]):02}" for part in ("hour", "minute", "second"))
    digits = int(when["fraction_digits"])
    fraction = f".{int(when['nanosecond']):09}"[: digits + 1] if digits else ""
    hours, rest = (f"{part:02}" for part in divmod(abs(minutes), 60))
    sign = "-" if value["minus_"] or minutes < 0 else "+"
    offset = {
        "none": "",
        "z": "Z",
        "hours": sign + hours,
        "hours_minutes": sign + hours + rest,
        "hours_colon_minutes": f"{sign}{hours}:{rest}",
    }[str(value["form_"]).rpartition("::")[2]]
    between = " " if "::LocalTimestamp" in str(value.type.strip_typedefs()) else "T"
    return day(when["date"]) + between + clock + fraction + offset


def printed_by(text_of):
    """Return what gdb calls for a value: an object with `to_string`."""
    return lambda value: type("Printer", (), {"to_string": lambda _: text_of(value)})()


PRINTERS = gdb.printing.RegexpCollectionPrettyPrinter("bankhook")
for name, form, text_of in (
    ("OpenEnum", r"^bankhook::v\w+::OpenEnum<.*>$", open_enum),
    ("nullable", r"^bankhook::v\w+::(nullable|maybe_absent)<.*>$", optional),
    ("Decimal", r"^bankhook::v\w+::Decimal$", decimal),
    ("Timestamp", r"^bankhook::v\w+::(Local)?Timestamp$", timestamp),
    ("year_month_day", r"^std::chrono::year_month_day$", day),
):
    PRINTERS.add_printer(name, form, printed_by(text_of))
gdb.printing.register_pretty_printer(None, PRINTERS, replace=True)
