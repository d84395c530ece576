"""The table of docs/vision.md: what the screen says next, by what it says now and what happens."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.perception.area_questions import standing_in
from companion.perception.sync.state import AreaCounted, CameraIgnored, Glimpse, TurnsRefused
from engine.orders.steps import Roll
from tests.companion.perception.sync.folding import ATTACK, REPLY, START, WATCHED, Fold
from tests.companion.perception.sync.table import ADVANCE

DOCS = Path(__file__).parents[4] / "docs" / "vision.md"
MATCHES = WATCHED.look("as recorded")
ROWS = {
    "off": WATCHED.take(Glimpse(None)).wait(),
    "ignored": WATCHED.take(CameraIgnored(True)).look("as recorded"),
    "lost": WATCHED.look("no camera"),
    "waiting": WATCHED.look("no picture yet"),
    "hand": MATCHES.again(state="hand"),
    "moving": MATCHES.again(state="moving"),
    "turn": MATCHES.play(ATTACK),
    "sync": MATCHES,
    "unsure": WATCHED.look("an area covered"),
    "playing": WATCHED.look("a beginning", "a beginning"),
    "dice": WATCHED.look("a fight", "a fight"),
    "proposal": WATCHED.look("a turn", "a turn"),
    "behind": MATCHES.play(ADVANCE),
    "out": WATCHED.look("a piece too many", "nothing fits").wait(60.0),
}


def has_played(fold: Fold) -> bool:
    return fold.sign == "behind"


def next_step(fold: Fold) -> Fold:
    """Let the game go on by touch, or with the turn that is offered."""
    if fold.sign == "turn":
        return fold.play(ATTACK, Roll((0,), "black"))
    if has_played(fold):
        return fold.play(ADVANCE, REPLY)
    return fold.play(ADVANCE, weighed="nothing done" if fold.sign == "proposal" else "nothing fits")


COLUMNS: dict[str, Callable[[Fold], Fold]] = {
    "as recorded": lambda fold: fold.look("a turn" if has_played(fold) else "as recorded"),
    "a turn done": lambda fold: fold.look("a reply", "a reply") if has_played(fold) else fold.look("a turn", "a turn"),
    "nothing fits": lambda fold: fold.look("a piece too many", "nothing fits"),
    "hands": lambda fold: (
        fold.again(state="hand") if fold.state.reading else fold.look("as recorded").again(state="hand")
    ),
    "camera lost": lambda fold: fold.look("no camera"),
    "step": next_step,
    "count": lambda fold: fold.take(AreaCounted("b3", standing_in(START, "b3"))).again(),
    "refusal": lambda fold: fold.take(TurnsRefused()).again(),
    "clock": lambda fold: fold.wait(60.0),
}


def test_each_row_is_what_the_screen_says() -> None:
    assert {sign: fold.sign for sign, fold in ROWS.items()} == {sign: sign for sign in ROWS}


def table_of_the_docs() -> dict[str, list[str]]:
    """Return {what the screen says: what it says next}."""
    lines = DOCS.read_text(encoding="utf-8").partition("| now |")[2].splitlines()
    cells = ([cell.strip(" `") for cell in line.strip("|").split("|")] for line in lines)
    return {first: rest for first, *rest in cells if first in ROWS}


@pytest.mark.parametrize("sign", ROWS)
def test_what_the_screen_says_next_is_as_the_docs_have_it(sign: str) -> None:
    found = [event(ROWS[sign]).sign for event in COLUMNS.values()]
    assert table_of_the_docs()[sign] == found, f"| {sign} | {' | '.join(found)} |"
