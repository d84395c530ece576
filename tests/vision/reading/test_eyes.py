"""Two looks at one board, held together: what both see is sure, what one doubts is not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.tables import four_areas, pictures
from vision.reading.count import NOT_SURE, SURE, CountBelief
from vision.reading.doubt import BELIEF, CONTRAST, UNLIKE
from vision.reading.eyes import Look, Opinion, together
from vision.reading.pieces import Piece
from vision.reading.read import prepare_table

PLAN = four_areas()
TWO, ONE = (("red", "troop", 2),), (("red", "troop", 1),)
ADVANCE = "advance:a1"


def look(two: float = 0.99, commander: float | None = None, **caps: str) -> Look:
    """Return a look at a board with two troops or one in a1; caps: {area: a reason to doubt it}."""
    options = sorted([(TWO, two), (ONE, 1 - two)], key=lambda option: -option[1])
    pieces = [Piece("red", "troop", "a1", (10.0, 10.0), two)]
    if commander is not None:
        pieces.append(Piece("red", "commander", ADVANCE, (15.0, 15.0), commander))
    return Look(
        pieces=pieces,
        counts={"a1": CountBelief(tuple(options))},
        doubts={"a1": (-2.0,)},
        caps={area: (reason,) for area, reason in caps.items()},
        why={},
        cover=np.zeros((2, 2), np.float32),
    )


def opinion(*looks: Look) -> Opinion:
    return together(looks, PLAN)


def sureness(*looks: Look) -> float:
    return opinion(*looks).counts["a1"].confidence


def test_what_both_see_is_surer_than_what_each_sees() -> None:
    assert sureness(look(0.9), look(0.9)) > SURE > sureness(look(0.9))


def test_where_they_are_at_odds_the_surer_one_is_followed_and_nobody_is_sure() -> None:
    told = opinion(look(0.7), look(0.02))
    assert told.counts["a1"].best == ONE
    assert told.counts["a1"].confidence <= NOT_SURE
    assert told.why["a1"] == (BELIEF,)
    assert [piece.score for piece in told.pieces] == [0.02], "the pieces are those of the eye that is followed"


@pytest.mark.parametrize(("reason", "is_sure"), [(UNLIKE, False), (CONTRAST, True)])
def test_a_strange_thing_holds_both_and_bad_sight_only_its_own_eye(reason: str, is_sure: bool) -> None:
    assert (sureness(look(a1=reason), look()) >= SURE) is is_sure
    assert (sureness(look(), look(a1=reason)) >= SURE) is is_sure
    assert sureness(look(a1=reason), look(a1=reason)) == NOT_SURE


@pytest.mark.parametrize(("chances", "is_sure"), [((0.99, 0.99), True), ((0.9, 0.4), False), ((0.02, 0.02), True)])
def test_what_may_be_a_commander_or_a_unit_leaves_its_area_unsure(chances: tuple[float, float], is_sure: bool) -> None:
    assert (sureness(*(look(commander=chance) for chance in chances)) >= SURE) is is_sure


def test_a_commander_that_one_eye_has_not_seen_is_unlikely() -> None:
    assert opinion(look(commander=0.9), look()).leaders[ADVANCE]["red"] < 0.1
    assert opinion(look(commander=0.9), look(commander=0.9)).leaders[ADVANCE]["red"] > 0.98


def test_cover_is_what_both_see_of_it() -> None:
    hand = replace(look(), cover=np.ones((2, 2), np.float32))
    assert opinion(hand, look()).cover == pytest.approx(np.full((2, 2), 0.5))


def test_a_table_is_seen_by_two_networks_of_which_one_looks_again() -> None:
    first, second = prepare_table(pictures().table).eyes
    assert first.known.network != second.known.network
    assert [bool(eye.again.views) for eye in (first, second)] == [True, False]
