# SPDX-License-Identifier: MIT
"""For tests of a consumer: payloads, strategies for Hypothesis, and fixtures for pytest."""
