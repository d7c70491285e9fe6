# SPDX-License-Identifier: MIT
"""The page for people that `bankhook listen` serves on loopback: deliveries as they come, and what needs a person."""
