"""Positions and steps as the JSON objects of the interface: every fault is one line that names its key."""

from engine.orders.wire.positions import checked, new_from_json, position_from_json, position_to_json
from engine.orders.wire.steps import step_from_json, step_to_json

__all__ = ["checked", "new_from_json", "position_from_json", "position_to_json", "step_from_json", "step_to_json"]
