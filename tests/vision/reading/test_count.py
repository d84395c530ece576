"""From pieces with probabilities to counts with probabilities; what two looks at one board make of them together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.tables import four_areas, pictures
from vision.reading.count import (
    LEAST_EACH,
    NOT_SURE,
    SURE,
    SURE_FROM,
    SUSPECTED,
    CountBelief,
    UsualForce,
    belief,
    beliefs,
    board_doubt,
    calibrate_beliefs,
    capped_below_sure,
    combine_beliefs,
    commanders_of,
    leaders_of,
    total_chances,
    units_of,
)
from vision.reading.doubt import BELIEF, CONTRAST, UNLIKE, Look, Opinion, combine_looks
from vision.reading.pieces import Piece
from vision.reading.setting import prepare_table


def piece(faction: str = "red", kind: str = "troop", place: str = "a1", score: float = 0.99) -> Piece:
    return Piece(faction, kind, place, (0.0, 0.0), score)


def test_numbers_are_a_distribution() -> None:
    chances = total_chances([piece(score=0.5), piece(score=0.5)])
    assert chances == pytest.approx([0.25, 0.5, 0.25])
    assert belief([]).options == (((), 1.0),)


def test_confidence_is_the_probability_of_the_whole_count() -> None:
    told = belief([piece(score=0.9), piece("black", score=0.8)])
    assert told.best == (("black", "troop", 1), ("red", "troop", 1))
    assert told.confidence == pytest.approx(0.72)
    assert sum(chance for _, chance in told.options) == pytest.approx(1.0)
    unlikely = belief([piece(), piece(score=0.3)])
    assert unlikely.best == (("red", "troop", 1),)
    assert unlikely.confidence < 0.75


def test_units_are_named_by_area_faction_and_kind_and_a_space_has_its_likeliest_commander() -> None:
    pieces = [piece(), piece(), piece("black", "ship", "b1"), piece(kind="commander", place="sail:b1")]
    counts = beliefs(pieces, four_areas())
    assert units_of(counts) == {"a1": {"red": {"troop": 2}}, "b1": {"black": {"ship": 1}}}
    pieces = [
        piece("red", "commander", "sail:b1", 0.6),
        piece("black", "commander", "sail:b1", 0.9),
        piece("red", "commander", "advance:a1", 0.4),
    ]
    leaders = leaders_of(pieces)
    assert leaders == {"advance:a1": {"red": 0.4}, "sail:b1": {"red": 0.6, "black": 0.9}}
    assert commanders_of(leaders) == {"sail:b1": "black"}


NOTHING = {"a1": (), "b1": (), "a2": ()}
"""No doubt from outside."""


def test_beliefs_are_made_as_sure_as_such_beliefs_proved() -> None:
    plain = belief([piece(score=0.9), piece("black", score=0.8)])
    same = calibrate_beliefs({"a1": plain}, (0.0, 1.0, 0.0), NOTHING)["a1"]
    doubted = calibrate_beliefs({"a1": plain}, (0.0, 0.5, 0.0), NOTHING)["a1"]
    assert [chance for _, chance in same.options] == pytest.approx([chance for _, chance in plain.options])
    assert doubted.best == plain.best
    assert doubted.confidence < plain.confidence
    assert sum(chance for _, chance in doubted.options) <= 1 + 1e-9
    chances = [chance for _, chance in doubted.options]
    assert chances == sorted(chances, reverse=True)
    nobody = calibrate_beliefs({"a1": belief([])}, (0.0, 1.0, 0.0), NOTHING)
    assert nobody["a1"].confidence == pytest.approx(1.0, abs=1e-3)
    assert calibrate_beliefs({}, (0.0, 1.0, 0.0), {}) == {}


@pytest.mark.parametrize(("score", "said"), [(0.97, 0.8999), (0.985, 0.985), (0.88, 0.88)])
def test_what_is_only_nearly_sure_is_not_said_to_be(score: float, said: float) -> None:
    assert combine_beliefs([belief([piece(score=score)])]).confidence == pytest.approx(said)


def test_two_that_agree_are_surer_than_each_and_two_at_odds_are_not() -> None:
    likely, unlikely = belief([piece(score=0.9)]), belief([piece(score=0.2)])
    assert combine_beliefs([likely, likely]).confidence == pytest.approx(0.81 / 0.82)
    assert combine_beliefs([likely, unlikely]).confidence == pytest.approx(0.18 / 0.26)
    assert combine_beliefs([unlikely, likely]) == combine_beliefs([likely, unlikely])
    red, black = belief([piece(score=1.0)]), belief([piece("black", score=1.0)])
    both = combine_beliefs([red, black])
    assert {combo for combo, _ in both.options} == {red.best, black.best}
    assert both.confidence == pytest.approx(0.5)


def test_nothing_is_sure_that_one_of_two_hardly_believes() -> None:
    certain, doubtful = belief([piece(score=0.9999)]), belief([piece(score=LEAST_EACH - 0.01)])
    assert combine_beliefs([certain, belief([piece(score=LEAST_EACH + 0.01)])]).confidence > SURE_FROM
    assert combine_beliefs([certain, doubtful]).confidence == NOT_SURE
    assert combine_beliefs([certain, doubtful]).best == certain.best


def test_one_more_that_both_suspect_leaves_a_count_unsure_and_that_one_alone_does_not() -> None:
    two = [piece(score=0.999), piece(score=0.999)]
    clear, suspicious = belief(two), belief([*two, piece(score=2 * SUSPECTED)])
    assert combine_beliefs([clear, suspicious]).confidence > SURE_FROM
    assert combine_beliefs([suspicious, suspicious]).confidence == NOT_SURE
    nothing = belief([piece(score=2 * SUSPECTED)])
    assert combine_beliefs([nothing, nothing]).confidence > SURE_FROM, "empty ground hides no second disc"


def test_what_seems_sure_is_less_so_on_a_doubtful_board_and_where_something_speaks_against_it() -> None:
    sure, unsure = belief([piece(score=0.97)]), belief([piece(score=0.6)])
    model = (0.0, 1.0, -0.5)
    clear = calibrate_beliefs({"a1": sure, "b1": sure}, model, NOTHING)["a1"].confidence
    murky = calibrate_beliefs({"a1": sure, "b1": unsure, "a2": unsure}, model, NOTHING)["a1"].confidence
    assert board_doubt({"a1": sure}) < board_doubt({"a1": unsure})
    assert murky < clear
    against = {"a1": (0.0,), "b1": (1.0,)}
    doubted = calibrate_beliefs({"a1": sure, "b1": sure}, (0.0, 1.0, 0.0, -2.0), against)
    assert doubted["b1"].confidence < doubted["a1"].confidence
    assert doubted["b1"].best == doubted["a1"].best


def test_a_belief_can_be_made_unsure_and_stays_the_same() -> None:
    sure = belief([piece(score=0.999)])
    assert capped_below_sure(sure).confidence == NOT_SURE
    assert capped_below_sure(sure).best == sure.best
    unsure = belief([piece(score=0.7)])
    assert capped_below_sure(unsure).confidence == unsure.confidence


def test_what_is_unusual_needs_clearer_sight() -> None:
    doubtful = [piece(score=0.99), piece("black", score=0.7)]
    assert len(belief(doubtful).best) == 2
    assert belief(doubtful, UsualForce(shared=False)).best == (("red", "troop", 1),)
    assert len(belief([piece(), piece("black")], UsualForce(shared=False)).best) == 2
    four = [piece(score=0.999)] * 3 + [piece(score=0.8)]
    assert belief(four).best == (("red", "troop", 4),)
    assert belief(four, UsualForce(most=3)).best == (("red", "troop", 3),)
    assert belief([piece(score=0.999)] * 4, UsualForce(most=3)).best == (("red", "troop", 4),)


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
    return combine_looks(looks, PLAN)


def sureness(*looks: Look) -> float:
    return opinion(*looks).counts["a1"].confidence


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


def test_a_commander_that_one_eye_has_not_seen_is_unlikely_and_cover_is_what_both_see() -> None:
    assert opinion(look(commander=0.9), look()).leaders[ADVANCE]["red"] < 0.1
    assert opinion(look(commander=0.9), look(commander=0.9)).leaders[ADVANCE]["red"] > 0.98
    hand = replace(look(), cover=np.ones((2, 2), np.float32))
    assert opinion(hand, look()).cover == pytest.approx(np.full((2, 2), 0.5))


def test_a_table_is_seen_by_two_networks_of_which_one_looks_again() -> None:
    first, second = prepare_table(pictures().table).eyes
    assert first.known.network != second.known.network
    assert [bool(eye.again.views) for eye in (first, second)] == [True, False]
