"""Golden games of any system, replayed line by line through the referee: what the tests of all of them share.

After a file's first line come steps in order, and between them what must be true: `{"expect": {...}}` holds as far as
it is written, and `{"refuse": step, "rule": id}` is a step that is refused there for this reason, and not taken.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from operator import eq
from pathlib import Path
from typing import Any

from engine.referee import reply

Json = dict[str, Any]
Check = Callable[[Json, Json, Json | None], None]
"""Looks at what is expected of a position and of what is pending there."""


def ask(do: str, position: Json, **more: Any) -> Json:
    """Return the referee's answer to a request about a position."""
    return reply(json.dumps({"do": do, "position": position, **more}))


def lines_of(file: Path) -> list[Json]:
    """Return a file's objects, one for each line."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def first_position(head: Json) -> Json:
    """Where a game begins: as its `new` request says, or at its position."""
    position: Json = reply(json.dumps(head))["position"] if head.get("do") == "new" else head["position"]
    return position


def holds_as_written(found: Any, written: Any, same: Callable[[Any, Any], object] = eq) -> bool:
    """Whether everything written is there; what is not written may be anything."""
    if isinstance(written, dict) and isinstance(found, dict):
        return all(key in found and holds_as_written(found[key], part, same) for key, part in written.items())
    return bool(same(found, written))


def play_through(file: Path, check: Check) -> None:
    """Take every step of a game, and look at all that must be true on the way."""
    head, *lines = lines_of(file)
    answer = ask("apply", first_position(head), steps=[])
    for line in lines:
        if "expect" in line:
            check(line["expect"], answer["position"], answer["pending"])
        elif "refuse" in line:
            error = ask("apply", answer["position"], steps=[line["refuse"]])["error"]
            assert (error["rule"], bool(error["cite"])) == (line["rule"], True), line
        else:
            answer = ask("apply", answer["position"], steps=[line])
            assert "error" not in answer, (line, answer)


def is_the_same_at_once(file: Path) -> bool:
    """Whether all steps in one request lead where they lead one by one."""
    head, *lines = lines_of(file)
    steps = [line for line in lines if not {"expect", "refuse"} & set(line)]
    return bool(one_by_one(head, steps) == ask("apply", first_position(head), steps=steps)["position"])


def one_by_one(head: Json, steps: Iterable[Json]) -> Json:
    """Return the position after the steps, each sent in a request of its own."""
    position: Json = ask("apply", first_position(head), steps=[])["position"]
    for step in steps:
        position = ask("apply", position, steps=[step])["position"]
    return position
