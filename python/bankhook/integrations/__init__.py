# SPDX-License-Identifier: MIT
"""For other libraries: a module each, which needs that library."""
