"""A turn in progress: nothing is said until the hands have done it; and how long that is, by numbers."""

from __future__ import annotations

from dataclasses import replace
from math import e

import pytest

from companion.perception.adapters import Difference
from companion.perception.area_questions import standing_in
from companion.perception.sync.monitor import SyncMonitor
from companion.perception.sync.state import AreaCounted, TurnsRefused
from companion.perception.sync.status import TableView
from companion.perception.sync.turn_progress import (
    CAME,
    MORE_S,
    PAUSE_S,
    PLAUSIBLE,
    THINKING_S,
    has_come,
    may_be_half_done,
    missed_shots,
    pause_s,
    sharpen,
)
from engine.orders import game
from engine.orders.board import load_board
from engine.orders.game import new_game
from engine.orders.inference.infer import Explanation
from engine.orders.steps import Agreed, Deploy, Pass, Roll, Step
from tests.companion.perception.seeing import reading_of
from tests.companion.perception.sync.table import ADVANCE, FEWER_S, ONE_BLACK, ONE_RED, TWO, Slow, Table, begun, moved
from tests.tables import rivers


def test_while_hands_are_at_it_nothing_new_is_said(table: Table) -> None:
    table.eye.lay(game.apply(table.match.position, ADVANCE), state="hand")
    assert table.look(60.0) == "hand"
    assert not table.minded.sense.explanations
    assert table.lies(game.apply(table.match.position, ADVANCE)) == "proposal"


def test_a_commander_whose_units_are_still_to_come_is_no_alarm_while_people_think(table: Table) -> None:
    begun(table, "advance:c4")
    assert table.look() == "playing"
    begun(table, "advance:c4", ("d5", ONE_RED))
    assert table.look(THINKING_S - 0.1) == "playing"
    assert not table.minded.sense.explanations
    assert table.look(0.1) == "out"


def test_hands_begin_the_wait_anew(table: Table) -> None:
    begun(table, "advance:c4")
    table.look()
    table.now_s += THINKING_S
    glimpse = table.eye.glimpse(table.match)
    table.minded.update(table.match, replace(glimpse, state="hand"), table.now_s)
    assert table.look() == "playing"


def test_both_sides_in_one_area_wait_for_dice(table: Table) -> None:
    table.match.offer(Agreed(areas=(("c5", ONE_BLACK),)))
    table.look()
    attack = Deploy("advance:c5", moves=(("d5", "troop", 2),))
    moved_in = game.apply(table.match.position, attack)
    assert moved_in.units_in("c5") == {"black": {"troop": 1}, "red": {"troop": 2}}
    assert table.lies(moved_in) == "dice"
    assert table.minded.sense.clashing == ("c5",)
    assert table.look(THINKING_S - 1.0) == "dice"
    assert not table.minded.sense.explanations
    assert table.lies(game.fold(table.match.position, (attack, Roll((0,), "black")))) == "playing", (
        "the die may have cost red its last unit there as well"
    )
    assert table.look(FEWER_S) == "proposal"


def test_a_shot_that_changed_nothing_yet_waits_for_dice_and_may_be_a_miss(table: Table) -> None:
    table.match.offer(Agreed(areas=(("d5", ONE_BLACK),)))
    table.look()
    begun(table, "bombard:e4")
    reading = reading_of(table.match.position)
    table.eye.laid = TableView("settled", replace(reading, leaders={**reading.leaders, "bombard:e4": {"red": 0.976}}))
    assert table.look() == "dice", "though that nothing was done is likelier by itself"
    assert {explanation.steps[0].target for explanation in table.minded.sense.explanations} == {"d5", "e3"}  # type: ignore[union-attr]
    table.minded.advance(TurnsRefused())
    assert table.look() == "sync"


def test_a_new_commander_and_a_unit_less_are_a_turn_though_the_eye_is_not_sure_of_either(table: Table) -> None:
    table.match.offer(Agreed(areas=(("c2", (("black", "ship", 3),)),)))
    table.look()
    shot = Deploy("shell:d3", target="c2")
    hit = game.apply(game.apply(table.match.position, shot), Roll((1,) * 2, "red"))
    left, was = standing_in(hit, "c2"), standing_in(table.match.position, "c2")
    reading = reading_of(hit, {"c2": ((left, 0.8), (was, 0.2))})
    table.eye.laid = TableView("settled", replace(reading, leaders={**reading.leaders, "shell:d3": {"red": 0.96}}))
    assert table.look() == "proposal"
    assert table.minded.sense.explanations[0].steps[0] == shot


def test_fewer_pieces_than_may_be_placed_are_taken_for_a_beginning(table: Table) -> None:
    assert table.lies(game.apply(table.match.position, Deploy("reinforce:1", place=(("d3", "troop", 2),)))) == "playing"
    assert not table.minded.sense.explanations
    assert table.look(FEWER_S) == "proposal"
    table.eye.lay(
        game.apply(table.match.position, Deploy("reinforce:1", place=(("d3", "troop", 3), ("e1", "troop", 3))))
    )
    assert table.look() == "proposal", "all that may be: at once"


def test_units_that_may_be_followed_by_others_are_left_alone_for_a_pause(table: Table) -> None:
    assert table.lies(game.apply(table.match.position, replace(ADVANCE, moves=(("d5", "troop", 1),)))) == "playing"
    assert table.look(PAUSE_S) == "playing", "as likely as not one more comes: that takes longer"
    assert table.lies(game.apply(table.match.position, ADVANCE)) == "proposal", "all that may leave: at once"


def test_what_has_changed_while_it_was_left_alone_is_left_alone_anew(table: Table) -> None:
    for placed in ((("d3", "troop", 2),), (("d3", "troop", 2), ("e1", "troop", 1))):
        table.eye.lay(game.apply(table.match.position, Deploy("reinforce:1", place=placed)))
        assert table.look() == "playing"
        assert table.look(FEWER_S - 1.5) == "playing"
    assert table.look(1.5) == "proposal"


def test_hands_that_change_nothing_only_interrupt_the_wait(table: Table) -> None:
    assert (
        table.lies(
            game.apply(table.match.position, Deploy("reinforce:1", place=(("d3", "troop", 2),))), after_s=FEWER_S - 1.0
        )
        == "playing"
    )
    glimpse = table.eye.glimpse(table.match)
    table.minded.update(table.match, replace(glimpse, state="hand"), table.now_s)
    table.now_s += 60.0
    assert table.look() == "playing"
    assert table.look(0.6) == "playing"
    assert table.look(0.4) == "proposal", "what it had rested before counts"


def test_the_wait_begins_when_the_table_came_to_rest_not_when_it_was_thought_out(table: Table) -> None:
    table.minded = SyncMonitor(Slow())
    assert table.lies(game.apply(table.match.position, Deploy("reinforce:1", place=(("d3", "troop", 2),)))) == "waiting"
    assert table.look(FEWER_S) == "proposal"


def test_once_people_have_answered_they_are_not_kept_waiting(table: Table) -> None:
    assert table.lies(game.apply(table.match.position, replace(ADVANCE, moves=(("d5", "troop", 1),)))) == "playing"
    table.minded.advance(AreaCounted("d5", TWO))
    assert table.look() == "proposal"


def test_a_bomb_that_has_hit_nothing_waits_for_dice_though_its_commander_is_not_sure() -> None:
    board = load_board("wwii-island")
    position = new_game(board.name, "blue", dict(zip(board.slots, board.mode.tokens, strict=False)))
    bombed = Deploy("bomb:zone-purple", target="c3", payload=1)
    with_planes = game.apply(
        position, Agreed(areas=(("zone-purple", (("blue", "aircraft", 3),)), ("c3", (("yellow", "troop", 2),))))
    )
    missed = game.fold(with_planes, (bombed, Roll((0,), "blue")))
    reading = reading_of(missed)
    turn = Explanation((bombed, Roll((0,), "blue")), missed, "", 0.9)
    dim = replace(reading, leaders={**reading.leaders, "bomb:zone-purple": {"blue": 0.4}})
    assert missed_shots((turn,), with_planes, dim) == (turn,)
    assert missed_shots((replace(turn, likelihood=0.2),), with_planes, dim) == ()


START = rivers("e3:3 d3:4 d5:2", "a3:3 b3:2")


def test_odds_are_doubled() -> None:
    """As logarithms: nine to one becomes eighty-one to one."""
    assert sharpen(0.9) == pytest.approx(81 / 82)
    assert sharpen(0.5) == 0.5
    assert sharpen(0.1) == pytest.approx(1 - sharpen(0.9))


@pytest.mark.parametrize(
    ("step", "fuller", "seconds"),
    [
        (moved(1), PLAUSIBLE - 0.01, 0.0),
        (moved(1), PLAUSIBLE, PAUSE_S),
        (moved(1), PLAUSIBLE * e, PAUSE_S + MORE_S),
        (Deploy("reinforce:1"), 0.0, THINKING_S),
        (Deploy("reinforce:1", place=(("d3", "troop", 1),)), 0.0, 0.0),
        (Deploy("shell:d3", target="b3"), 0.0, 0.0),
        (Pass(), 1.0, 0.0),
    ],
)
def test_a_turn_that_may_be_a_beginning_waits(step: Step, fuller: float, seconds: float) -> None:
    assert pause_s(Explanation((step,), START, "", 1.0), fuller, START) == pytest.approx(seconds)


def test_a_commander_of_the_side_to_move_comes_where_the_picture_has_changed() -> None:
    seen = replace(reading_of(START), leaders={"advance:c4": {"red": CAME}}, confidence={"c4": 0.9})
    assert has_come(START, seen)
    for spoiled in (
        replace(seen, leaders={"advance:c4": {"red": CAME - 0.01}}),
        replace(seen, leaders={"advance:c4": {"black": 1.0}}),
        replace(seen, leaders={}),
        replace(seen, confidence={"c4": 1.0}),
        replace(seen, confidence={}),
    ):
        assert not has_come(START, spoiled)


def piece(place: str, faction: str, unit: str, seen: int, expected: int = 0) -> Difference:
    return Difference(place, "differs", {faction: {unit: expected}}, {faction: {unit: seen}}, 0.9)


COME = piece("advance:c4", "red", "commander", 1)
MORE, LESS = piece("c4", "red", "troop", 1), piece("d5", "red", "troop", 1, 2)


@pytest.mark.parametrize(
    ("differences", "half_done"),
    [
        ((), False),
        ((MORE,), True),
        ((LESS,), True),
        ((COME,), True),
        ((COME, MORE, LESS), True),
        ((COME, piece("advance:d5", "red", "commander", 1)), False),
        ((piece("advance:c4", "red", "commander", 0, 1), MORE), False),
        ((MORE, piece("b3", "black", "troop", 3, 2)), False),
        ((MORE, piece("b3", "black", "troop", 1, 2)), True),
        ((replace(MORE, state="hidden"),), False),
    ],
)
def test_half_a_turn_is_the_movers_own(differences: tuple[Difference, ...], half_done: bool) -> None:
    assert may_be_half_done(START, differences) is half_done
