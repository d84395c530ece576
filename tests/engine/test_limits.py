"""Whatever a program sends, the referee answers it in one line, soon, and goes on."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from engine.codec import MOST_ENTRIES
from engine.errors import BadStep
from engine.orders.notation import parse_step
from engine.referee import MOST_BYTES, MOST_STEPS, reply, serve
from tests.companion.other_games import BEGIN

HUGE = 10**18
START = {
    "do": "new",
    "board": "sengoku-rivers",
    "initiative": "red",
    "bonuses": {"sun": "barracks", "moon": "war_room", "star": "shipyard"},
}
SOUND = json.dumps(START).encode() + b"\n"


class Counted(io.BytesIO):
    """Input that gives no more of a line than it is asked for, and knows what that was."""

    most = 0

    def readline(self, size: int | None = -1, /) -> bytes:
        assert size is not None
        assert size > 0, "a line without an end would take all memory"
        self.most = max(self.most, size)
        return super().readline(size)


def told(lines: bytes) -> list[str]:
    """Return what comes of each line: its error's message, or "" for an answer."""
    given, out = Counted(lines), io.StringIO()
    serve(given, out)
    assert given.most <= MOST_BYTES + 1
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    assert all(answer.get("error", {"kind": "bad_request"})["kind"] == "bad_request" for answer in answers)
    return [answer["error"]["message"] if "error" in answer else "" for answer in answers]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b" " * MOST_BYTES + b"{}", "the request: longer than 4000000 bytes, the limit"),
        (b"[" + b"[]," * 3 * MOST_BYTES, "the request: longer than 4000000 bytes, the limit"),
        (b'{"do": "caf\xe9"}', "the request: not a text file (byte 11 is not UTF-8)"),
        (b'{"do": "\\ud800"}', "the request: half a surrogate pair, not a character"),
        (b'{"id": ' + b"9" * 5000 + b"}", "the request: a number beyond 64 bits"),
        (b'{"id": NaN}', "the request: NaN isn't a JSON number"),
        (b'{"do": ' + b"[" * 100_000, "the request: nested too deeply"),
        (b"\0", "the request: not JSON: Expecting value (line 1, column 1)"),
    ],
    ids=["just too long", "far too long", "no text", "half a character", "digits", "no number", "deep", "a NUL"],
)
def test_a_line_that_is_not_read_is_one_bad_request(line: bytes, why: str) -> None:
    assert told(SOUND + line + b"\n" + SOUND) == ["", why, ""]
    assert told(SOUND + line) == ["", why]


def test_an_endless_line_at_the_end_is_answered_once() -> None:
    assert len(told(b"x" * (3 * MOST_BYTES + 5))) == 1


def position(steps: list[dict[str, Any]]) -> dict[str, Any]:
    """General Orders after some steps."""
    start = reply(json.dumps(START))["position"]
    hands = {"red": ["ambush"], "black": []}
    asked = {"do": "apply", "position": start | {"hands": hands}, "steps": steps}
    found: dict[str, Any] = reply(json.dumps(asked))["position"]
    return found


def refused(request: dict[str, Any]) -> str:
    """Why a request is refused."""
    message: str = reply(json.dumps(request))["error"]["message"]
    assert len(message) < 1000
    return message


@pytest.mark.parametrize("do", ["odds", "infer", "apply"])
def test_a_turn_with_more_dice_than_anybody_rolls_is_no_turn(do: str) -> None:
    begun = position([{"deploy": "shell:d5", "target": "d4"}])
    assert begun["turn"]["dice"] > 0
    begun["turn"]["dice"] = HUGE
    request = {"do": do, "position": begun, "seen": begun["units"], "steps": [{"accept": True}]}
    assert refused(request) == "turn.dice: no turn in progress stands like this"


@pytest.mark.parametrize(
    "step",
    [
        {"deploy": "plan:1", "draw": 2, "cards": ["ambush"] * 10**5},
        {"deploy": "plan:1", "draw": ["ambush"] * 10**5},
        {"deploy": "advance:d2", "moves": {f"d{n}": {"troop": 1} for n in range(10**5)}},
        {"deploy": "advance:d2", "moves": {"d3": {f"troop{n}": 1 for n in range(10**5)}}},
        {"roll": [1] * 10**5, "by": "red"},
        {"agreed": {f"d{n}": {} for n in range(10**5)}},
    ],
    ids=" ".join,
)
def test_more_things_in_a_step_than_any_box_holds_are_refused(step: dict[str, Any]) -> None:
    why = refused({"do": "check", "position": position([]), "steps": [step]} | {"do": "apply"})
    assert why.endswith(f": at most {MOST_ENTRIES} entries, not 100000")


@pytest.mark.parametrize(
    ("system", "step"),
    [
        ("sonae", {"agreed": {f"maru-{n}": None for n in range(10**5)}}),
        ("sonae", {"roll": [1] * 10**5, "by": "maru"}),
        ("generals", {"agreed": "red", "generals": {f"crane_{n}": None for n in range(10**5)}}),
    ],
)
def test_the_other_systems_are_bounded_too(system: str, step: dict[str, Any]) -> None:
    start = reply(json.dumps({"do": "new", "system": system, **BEGIN[system]}))["position"]
    assert f"at most {MOST_ENTRIES} entries" in refused({"do": "apply", "position": start, "steps": [step]})


@pytest.mark.parametrize("key", ["due", "heirs", "fought"])
def test_the_lists_of_a_position_are_bounded(key: str) -> None:
    start = reply(json.dumps({"do": "new", "system": "sonae", **BEGIN["sonae"]}))["position"]
    request = {"do": "legal", "position": start | {key: [["a", "b"]] * 10**5}}
    assert refused(request) == f"{key}: at most {MOST_ENTRIES} entries, not 100000"
    assert refused({"do": "legal", "position": start | {key: 3}}).startswith(f"{key}: expected a list")


@pytest.mark.parametrize("do", ["apply", "check"])
def test_more_steps_than_any_game_has_are_refused(do: str) -> None:
    steps: list[dict[str, Any]] = [{"agreed": {}}] * (MOST_STEPS + 1)
    why = f"steps: at most {MOST_STEPS} in a request, not {MOST_STEPS + 1}"
    assert refused({"do": do, "position": position([]), "steps": steps}) == why
    assert "error" not in reply(json.dumps({"do": do, "position": position([]), "steps": steps[1:]}))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('"' + '\\"' * 100_000, "column 1: expected an action space"),
        ("é" * 100_000, "column 1: expected an action space"),
        ("roll " + "9" * 100_000, "column 6: expected a face, found '9{36}\\.\\.\\.$"),
        ('"\\ud800"', "column 1: expected an action space"),
        ("advance:c4 from d5=\0", "column 20: expected a number of units"),
    ],
    ids=["an open quote", "no words", "digits", "half a character", "a NUL"],
)
def test_a_line_of_notation_is_refused_at_its_first_fault(text: str, why: str) -> None:
    with pytest.raises(BadStep, match=f"^{why}"):
        parse_step(text)
