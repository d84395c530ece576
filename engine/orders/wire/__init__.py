"""Positions and steps of General Orders as the JSON objects of the interface, dicts in and dicts out.

What is badly written, or more than the box holds, raises BadPosition or BadStep: one line that names its key.
"""

from engine.orders.wire.positions import check_position, new_from_json, position_from_json, position_to_json
from engine.orders.wire.steps import step_from_json, step_to_json

__all__ = [
    "check_position",
    "new_from_json",
    "position_from_json",
    "position_to_json",
    "step_from_json",
    "step_to_json",
]
