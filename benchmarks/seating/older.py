"""The player of whatever Gunbai is on the path, asked over a pipe: `benchmarks.players --against` starts it.

A question is a line of JSON, a position to take a turn in or to answer in; so is its answer, a step or null.
"""

from __future__ import annotations

import json
import sys
from random import Random
from typing import Any

from engine.orders.player import LEVELS, answer, choose
from engine.orders.wire import position_from_json, step_to_json


def reply(question: dict[str, Any], level: str, chance: Random) -> dict[str, Any] | None:
    """Return the step that the player takes, as JSON; None where it has nothing to decide."""
    if "turn" in question:
        position = position_from_json(question["turn"])
        return step_to_json(choose(position, position.to_move_name, LEVELS[level], chance).turn)
    step = answer(position_from_json(question["answer"]), question["seat"], LEVELS[level])
    return None if step is None else step_to_json(step)


if __name__ == "__main__":
    CHANCE = Random(sys.argv[2])
    for line in sys.stdin:
        print(json.dumps(reply(json.loads(line), sys.argv[1], CHANCE)), flush=True)
