"""Golden games of Sonae: the situations of the post's battle and its one example, replayed through the referee.

A file is JSON lines. The first says under which heading of the post it is told, what it shows and its position. Then
come steps, and between them what must be true: `{"expect": {"units"?, "pending"?, "position"?, "measure"?}}` holds as
far as it is written, a unit that is null has left the battle; `{"refuse": step, "rule": id}` is a step that is refused
there for this reason, and not taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.sonae.game import rules
from engine.sonae.scenario import add_scenario, read_scenario, remove_scenario
from tests.engine.sonae.case import example
from tests.games.golden import Json, ask, holds_as_written, is_the_same_at_once, lines_of, play_through

FILES = sorted(Path(__file__).parent.glob("*.jsonl"))
TOLD = {
    "pinned-from-the-hill",
    "the-rush-of-maru-ni",
    "into-a-better-position",
    "stalled-at-the-hill",
    "the-flank-from-the-south",
    "the-general-abandons-the-camp",
    "the-assault-on-the-bridge",
    "shock-breaks-the-bridge",
    "the-retreat",
}


@pytest.fixture(autouse=True)
def _the_manuals_battle() -> Iterator[None]:
    """Keep the example of docs/sonae.md on the shelf during the tests."""
    add_scenario(read_scenario("ouchi-mori", example(), "ouchi-mori.toml"))
    yield
    remove_scenario("ouchi-mori")


def as_far_as_written(found: Any, written: Any) -> bool:
    """Whether everything written is there; numbers may differ by rounding."""
    return holds_as_written(found, written, lambda one, other: one == approximately(other))


def approximately(value: Any) -> Any:
    """Return a number to be compared up to rounding; anything else unchanged."""
    return pytest.approx(value) if isinstance(value, float) else value


def check(expected: Json, position: Json, pending: Json | None) -> None:
    assert set(expected) <= {"units", "pending", "position", "measure"}
    found: Json = {"units": position["units"], "pending": pending, "position": position}
    found["units"] = {name: position["units"].get(name) for name in expected.get("units", {})}
    if "measure" in expected:
        asked = {key: expected["measure"][key] for key in ("unit", "to")}
        found["measure"] = asked | ask("measure", position, **asked)
    for key, written in expected.items():
        assert as_far_as_written(found[key], written), (key, found[key], written)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_golden_game(file: Path) -> None:
    assert lines_of(file)[0]["heading"] in {rule.citation.section for rule in rules().values()}
    play_through(file, check)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_golden_game_in_one_request_is_the_same(file: Path) -> None:
    assert is_the_same_at_once(file)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_golden_game_says_what_comes_of_it(file: Path) -> None:
    assert any("expect" in line for line in lines_of(file)[1:])


def test_the_situations_of_the_report_are_there() -> None:
    names = {file.stem for file in FILES}
    assert TOLD | {"ouchi-and-mori"} <= names


@pytest.mark.parametrize(
    ("found", "written", "holds"),
    [
        ({"a": 1, "b": 2}, {"a": 1}, True),
        ({"a": 1}, {"b": 1}, False),
        ({"a": 0.30555}, {"a": 0.5}, False),
        ({"a": 1 / 3}, {"a": 0.33333333333}, True),
        (None, {"a": 1}, False),
        (None, None, True),
    ],
)
def test_what_is_written_is_compared(found: Any, written: Any, holds: bool) -> None:
    assert as_far_as_written(found, written) is holds
