# SPDX-License-Identifier: MIT
"""What belongs to `bankhook.Sandbox`: its deliveries with their faults, and the choices that the specification leaves open."""

from __future__ import annotations

from bankhook._core import DetectedBy, FaultKind
from bankhook._records.deliveries import Choice, Delivery, Fault, Faults
from bankhook._records.errors import SandboxError

__all__ = ["Choice", "Delivery", "DetectedBy", "Fault", "FaultKind", "Faults", "SandboxError"]

__dir__ = __all__.copy
