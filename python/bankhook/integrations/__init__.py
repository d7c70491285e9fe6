# SPDX-License-Identifier: MIT
"""Adapters for other libraries: one module each, which needs that library."""
