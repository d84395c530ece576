"""What the camera means: in sync, a turn seen, a question, behind, out of sync; with a clock of the test's own."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.demo.player import set_up
from companion.games.match import Match
from companion.perception.adapters import compare
from companion.perception.amiss import Item, is_behind, items_insisted_on
from companion.perception.area_questions import answers_for, choice, question, standing_in, with_answers
from companion.perception.dice import DiceOffer, Thrown, with_dice
from companion.perception.sync_monitor import OUT_AFTER_S, InferenceRequest, SyncMonitor, TableView
from companion.perception.turn_inference import InlineExplainer, ThreadedExplainer, explain
from companion.perception.turn_progress import PAUSE_S, THINKING_S, missed_shots
from engine.orders import game
from engine.orders.board import load_board
from engine.orders.game import new_game
from engine.orders.inference.infer import Explanation, Inference
from engine.orders.position import Position
from engine.orders.steps import Agreed, Deploy, Pass, Roll
from engine.orders.turn import ready, standing
from tests.companion.perception.seeing import Exact, Eye, reading_of
from tests.companion.sample_games import played, up_to_a_window
from tests.patience import until
from vision.geometry import Grid, Picture
from vision.reading.count import Combo
from vision.reading.pieces import Piece

FEWER_S = 3.5  # how long it is left alone where fewer units were placed than may be, at most
ADVANCE = Deploy("advance:c4", moves=(("d5", "troop", 2),))
ONE_BLACK, ONE_RED = (("black", "troop", 1),), (("red", "troop", 1),)
TWO, THREE = (("red", "troop", 2),), (("red", "troop", 3),)


class Table:
    """A match, an eye over it, and what is understood of both; time is said."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.eye = Eye()
        self.minded = SyncMonitor(InlineExplainer())
        self.now_s = 100.0
        self.thrown: Thrown = lambda dice: None

    def look(self, after_s: float = 0.0) -> str:
        self.now_s += after_s
        self.minded.update(self.match, self.eye.glimpse(self.match), self.now_s, self.thrown)
        return self.minded.sense.sign

    def wrong(self, area: str = "b3") -> Position:
        """A piece too many in an area that no turn of red brings."""
        units = standing_in(self.match.position, area)
        more = tuple((who, unit, n + 1) for who, unit, n in units)
        return game.apply(self.match.position, Agreed(areas=((area, more),)))


@pytest.fixture
def table(match: Match) -> Table:
    return Table(match)


# ---- signs --------------------------------------------------------------------------------------


def test_without_a_camera_it_means_nothing(match: Match) -> None:
    minded = SyncMonitor(InlineExplainer())
    assert not minded.update(match, None, 0.0)
    assert minded.sense.sign == "off"


def test_a_board_as_recorded_is_in_sync_and_nothing_changes_by_looking_again(table: Table) -> None:
    assert table.look() == "sync"
    assert not table.minded.update(table.match, table.eye.glimpse(table.match), table.now_s + 1)


@pytest.mark.parametrize("state", ["hand", "moving"])
def test_while_something_moves_the_sign_says_so_and_the_last_meaning_stays(table: Table, state: str) -> None:
    table.look()
    table.eye.lay(table.match.position, state=state)
    assert table.look() == state
    assert table.minded.sense.differences


def test_a_lost_camera_says_why(table: Table) -> None:
    table.eye.laid = TableView("lost", fault="no camera at /dev/video0")
    assert table.look() == "lost"
    assert table.minded.sense.fault == "no camera at /dev/video0"


def test_before_the_first_reading_it_waits(table: Table) -> None:
    table.eye.laid = TableView("waiting")
    assert table.look() == "waiting"


def test_inside_a_turn_the_pieces_are_on_their_way(table: Table) -> None:
    table.match.offer(Deploy("advance:c4", moves=(("d5", "troop", 2),)))
    table.match.offer(Pass())
    table.match.offer(Deploy("advance:b5", moves=(("c4", "troop", 1),)))
    assert game.owed(table.match.position) is not None
    assert table.look() == "turn"


def test_doubtful_and_covered_areas_make_it_unsure_not_out(table: Table) -> None:
    as_recorded = standing_in(table.match.position, "e3")
    table.eye.lay(table.match.position, {"e3": ((as_recorded, 0.6), ((), 0.4))})
    assert table.look() == "sync", "what the game has there is likely beforehand"
    table.eye.lay(table.match.position, {"e3": (((), 0.85), (as_recorded, 0.15))})
    assert table.look() == "sync", "and not overruled by that"
    table.eye.lay(table.match.position, {"e3": (((), 0.89), (as_recorded, 0.05))})
    assert table.look() == "unsure"
    table.eye.laid = TableView("settled", reading_of(table.match.position, covered=("b3", "a3")))
    assert table.look(60.0) == "unsure"


def test_ignored_it_says_only_that(table: Table) -> None:
    table.eye.lay(table.wrong())
    table.minded.ignore(True)
    assert table.look(60.0) == "ignored"
    table.minded.ignore(False)
    table.look()
    assert table.look(OUT_AFTER_S) == "out"


# ---- a turn seen ----------------------------------------------------------------------------------


def test_a_turn_done_on_the_board_is_proposed_and_nothing_is_played(table: Table) -> None:
    table.look()
    table.eye.lay(game.apply(table.match.position, ADVANCE))
    assert table.look() == "proposal"
    assert table.minded.sense.explanations[0].steps[0] == ADVANCE
    assert table.match.steps == ()


def test_taken_it_is_in_sync(table: Table) -> None:
    table.eye.lay(game.apply(table.match.position, ADVANCE))
    table.look()
    for step in table.minded.sense.explanations[0].steps:
        table.match.offer(step)
    assert table.look() == "sync"


def test_a_turn_that_was_refused_is_not_proposed_again_but_put_right(table: Table) -> None:
    table.look()
    table.eye.lay(game.apply(table.match.position, ADVANCE))
    while table.look() == "proposal":
        table.minded.refuse()
    assert table.minded.sense.sign == "waiting"
    assert table.look(OUT_AFTER_S) == "out"
    assert {item.place for item in table.minded.sense.items} == {"c4", "d5", "advance:c4"}
    table.minded.reconsider()
    assert table.look() == "proposal"


def test_a_step_taken_forgets_what_was_refused(table: Table) -> None:
    table.eye.lay(game.apply(table.match.position, ADVANCE))
    table.look()
    table.minded.refuse()
    table.match.offer(Pass())
    table.look()
    table.match.undo()
    assert table.look() == "proposal"


# ---- a turn in progress ---------------------------------------------------------------------------


def begun(table: Table, space: str, *areas: tuple[str, Combo]) -> None:
    """A commander of red's has come, and these areas are different, whatever the rules say to it."""
    laid = game.apply(table.match.position, Agreed(areas=areas)) if areas else table.match.position
    table.eye.lay(replace(laid, commanders=standing(table.match.position, Deploy(space))))


def test_while_hands_are_at_it_nothing_new_is_said(table: Table) -> None:
    table.look()
    table.eye.lay(game.apply(table.match.position, ADVANCE), state="hand")
    assert table.look(60.0) == "hand"
    assert not table.minded.sense.explanations
    table.eye.lay(game.apply(table.match.position, ADVANCE))
    assert table.look() == "proposal"


def test_a_commander_whose_units_are_still_to_come_is_no_alarm_while_people_think(table: Table) -> None:
    table.look()
    begun(table, "advance:c4")
    assert table.look() == "playing"
    begun(table, "advance:c4", ("d5", ONE_RED))
    assert table.look(THINKING_S - 0.1) == "playing"
    assert not table.minded.sense.explanations
    assert table.look(0.1) == "out"


def test_hands_begin_the_wait_anew(table: Table) -> None:
    table.look()
    begun(table, "advance:c4")
    table.look()
    table.now_s += THINKING_S
    glimpse = table.eye.glimpse(table.match)
    table.minded.update(table.match, replace(glimpse, state="hand"), table.now_s)
    assert table.look() == "playing"


def test_what_the_other_side_has_more_is_no_turn_in_progress(table: Table) -> None:
    table.look()
    begun(table, "advance:c4", ("b3", (("black", "troop", 3),)))
    table.look()
    assert table.look(OUT_AFTER_S) == "out"


def test_both_sides_in_one_area_wait_for_dice(table: Table) -> None:
    table.match.offer(Agreed(areas=(("c5", ONE_BLACK),)))
    table.look()
    attack = Deploy("advance:c5", moves=(("d5", "troop", 2),))
    moved_in = game.apply(table.match.position, attack)
    assert moved_in.units_in("c5") == {"black": {"troop": 1}, "red": {"troop": 2}}
    table.eye.lay(moved_in)
    assert table.look() == "dice"
    assert table.look(THINKING_S - 1.0) == "dice"
    assert not table.minded.sense.explanations
    table.eye.lay(game.fold(table.match.position, (attack, Roll((0,), "black"))))
    assert table.look() == "playing", "the die may have cost red its last unit there as well"
    assert table.look(FEWER_S) == "proposal"


def test_a_shot_that_changed_nothing_yet_waits_for_dice_and_may_be_a_miss(table: Table) -> None:
    table.match.offer(Agreed(areas=(("d5", ONE_BLACK),)))
    table.look()
    begun(table, "bombard:e4")
    reading = reading_of(table.match.position)
    table.eye.laid = TableView("settled", replace(reading, leaders={**reading.leaders, "bombard:e4": {"red": 0.976}}))
    assert table.look() == "dice", "though that nothing was done is likelier by itself"
    assert {one.steps[0].target for one in table.minded.sense.explanations} == {"d5", "e3"}  # type: ignore[union-attr]
    table.minded.refuse()
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
    table.look()
    table.eye.lay(game.apply(table.match.position, Deploy("reinforce:1", place=(("d3", "troop", 2),))))
    assert table.look() == "playing"
    assert not table.minded.sense.explanations
    assert table.look(FEWER_S) == "proposal"
    table.eye.lay(
        game.apply(table.match.position, Deploy("reinforce:1", place=(("d3", "troop", 3), ("e1", "troop", 3))))
    )
    assert table.look() == "proposal", "all that may be: at once"


def test_units_that_may_be_followed_by_others_are_left_alone_for_a_pause(table: Table) -> None:
    table.look()
    table.eye.lay(game.apply(table.match.position, replace(ADVANCE, moves=(("d5", "troop", 1),))))
    assert table.look() == "playing"
    assert table.look(PAUSE_S) == "playing", "as likely as not one more comes: that takes longer"
    table.eye.lay(game.apply(table.match.position, ADVANCE))
    assert table.look() == "proposal", "all that may leave: at once"


def test_what_has_changed_while_it_was_left_alone_is_left_alone_anew(table: Table) -> None:
    table.look()
    for placed in ((("d3", "troop", 2),), (("d3", "troop", 2), ("e1", "troop", 1))):
        table.eye.lay(game.apply(table.match.position, Deploy("reinforce:1", place=placed)))
        assert table.look() == "playing"
        assert table.look(FEWER_S - 1.5) == "playing"
    assert table.look(1.5) == "proposal"


def test_hands_that_change_nothing_only_interrupt_the_wait(table: Table) -> None:
    table.look()
    table.eye.lay(game.apply(table.match.position, Deploy("reinforce:1", place=(("d3", "troop", 2),))))
    table.look()
    assert table.look(FEWER_S - 1.0) == "playing"
    glimpse = table.eye.glimpse(table.match)
    table.minded.update(table.match, replace(glimpse, state="hand"), table.now_s)
    table.now_s += 60.0
    assert table.look() == "playing"
    assert table.look(0.6) == "playing"
    assert table.look(0.4) == "proposal", "what it had rested before counts"


class Slow:
    """Explains at the second look."""

    def __init__(self) -> None:
        self.asked: list[InferenceRequest] = []

    def explanation(self, asked: InferenceRequest) -> Inference | None:
        self.asked.append(asked)
        return explain(asked) if self.asked.count(asked) > 1 else None


def test_the_wait_begins_when_the_table_came_to_rest_not_when_it_was_thought_out(table: Table) -> None:
    table.minded = SyncMonitor(Slow())
    table.eye.lay(game.apply(table.match.position, Deploy("reinforce:1", place=(("d3", "troop", 2),))))
    assert table.look() == "waiting"
    assert table.look(FEWER_S) == "proposal"


def test_once_people_have_answered_they_are_not_kept_waiting(table: Table) -> None:
    table.look()
    table.eye.lay(game.apply(table.match.position, replace(ADVANCE, moves=(("d5", "troop", 1),))))
    assert table.look() == "playing"
    table.minded.answer("d5", TWO)
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


# ---- dice in sight --------------------------------------------------------------------------------


def lying(*faces: int) -> Thrown:
    return lambda dice: DiceOffer(faces) if dice == len(faces) else None


def two_ships_shell(table: Table) -> tuple[Deploy, int]:
    """A shot of red's at black troops, and how many dice it has."""
    table.match.offer(Agreed(areas=(("c2", (("black", "ship", 3),)),)))
    shot = Deploy("shell:d3", target="c2")
    owes = game.owed(game.apply(table.match.position, shot))
    assert owes is not None
    table.look()
    return shot, owes.dice


def test_dice_that_lie_there_are_part_of_the_turn_that_is_proposed(table: Table) -> None:
    shot, dice = two_ships_shell(table)
    assert dice > 1
    faces = (2, *[0] * (dice - 1))
    assert faces != (1, 1), "not what is likeliest for as many pips"
    table.thrown = lying(*faces)
    table.eye.lay(game.fold(table.match.position, (shot, Roll(faces, "red"))))
    assert table.look() == "proposal"
    first, *_rest = table.minded.sense.explanations
    assert first.steps[:2] == (shot, Roll(faces, "red"))


def test_a_miss_whose_dice_are_in_sight_is_proposed_at_once(table: Table) -> None:
    shot, dice = two_ships_shell(table)
    begun(table, shot.space)
    assert table.look() == "dice"
    table.thrown = lying(*[0] * dice)
    assert table.look() == "proposal"
    assert table.minded.sense.explanations[0].steps[1] == Roll((0,) * dice, "red")
    table.thrown = lying(*[1] * dice)
    assert table.look() == "dice", "what they hit is still to be taken off"


def test_a_turn_that_needs_other_dice_than_lie_there_comes_after_one_that_needs_these(match: Match) -> None:
    match.offer(Agreed(areas=(("c2", (("black", "ship", 3),)),)))
    shot = Deploy("shell:d3", target="c2")
    begun = game.apply(match.position, shot)
    faces = [(0, 1), (1, 1)]
    ends = [game.apply(begun, Roll(roll, "red")) for roll in faces]
    turns = [
        Explanation((shot, Roll(roll, "red")), end, "", p) for roll, end, p in zip(faces, ends, (0.6, 0.4), strict=True)
    ]
    found = with_dice(turns, match.position, lying(1, 1))
    assert [one.steps[1] for one in found] == [Roll((1, 1), "red"), Roll((0, 1), "red")]
    assert sum(one.likelihood for one in found) == pytest.approx(1.0)
    assert with_dice(turns, match.position, lambda dice: None) == tuple(turns)
    assert with_dice(turns, match.position, lambda dice: DiceOffer((1,))) == tuple(turns), "one can't be read"


# ---- behind and out of sync ----------------------------------------------------------------------


def test_a_game_told_by_touch_waits_for_the_hands(table: Table) -> None:
    start = table.match.position
    table.look()
    table.eye.lay(start)
    table.match.offer(ADVANCE)
    assert table.look() == "behind"
    assert table.look(60.0) == "behind", "however long it takes"
    assert {item.place for item in table.minded.sense.items} == {"c4", "d5", "advance:c4"}
    table.eye.lay(table.match.position)
    assert table.look() == "sync"
    table.eye.lay(start)
    table.look()
    assert table.look(OUT_AFTER_S) == "out", "it was there already: pieces that go back were not forgotten"


def test_hands_follow_only_what_was_done_since_board_and_game_agreed(table: Table) -> None:
    start = reading_of(table.match.position)
    table.match.offer(ADVANCE)
    differences = compare(table.match.position, start)
    assert is_behind(table.match, differences, start)
    assert not is_behind(table.match, differences, start, agreed=1), "pieces that go back were not forgotten"
    table.match.undo()
    cleared = reading_of(last_of_the_round(table))
    steps = len(table.match.steps)
    assert is_behind(table.match, compare(table.match.position, cleared), cleared, agreed=steps), "a round has ended"


def test_a_turn_that_was_taken_from_the_camera_is_on_the_board_already(table: Table) -> None:
    table.look()
    table.eye.lay(game.apply(table.match.position, ADVANCE))
    table.look()
    for step in table.minded.sense.explanations[0].steps:
        table.match.offer(step)
    reading = reading_of(table.match.position)
    gone = {space: held for space, held in reading.commanders.items() if space != "advance:c4"}
    lost = {**reading.leaders, "advance:c4": {"red": 0.02}}
    table.eye.laid = TableView("settled", replace(reading, commanders=gone, leaders=lost))
    assert table.look() == "unsure", "the eye doesn't see the commander: nobody has to put it there"
    table.eye.laid = TableView(
        "settled", replace(reading, commanders=gone, leaders={**lost, "advance:c4": {"red": 0.2}})
    )
    assert table.look() == "sync", "nothing speaks against it"


def last_of_the_round(table: Table) -> Position:
    """The board at a round's end, before anybody takes a commander home: one of each side is on the map."""
    table.match.offer(ADVANCE)
    table.match.offer(Deploy("advance:c5", moves=(("b5", "troop", 1),)))
    deployed = table.match.position.commanders
    while table.match.position.round == 1:
        table.match.offer(Pass())
    return replace(table.match.position, commanders=deployed)


def test_at_a_rounds_end_the_commanders_go_home_one_by_one_without_an_alarm(table: Table) -> None:
    board = last_of_the_round(table)
    table.eye.lay(board)
    assert table.look() == "behind"
    assert table.look(60.0) == "behind", "however long it takes"
    assert {item.place for item in table.minded.sense.items} == {"advance:c4", "advance:c5"}
    table.eye.lay(replace(board, commanders=(board.commanders[0], 0)))
    assert table.look() == "behind"
    assert {item.place for item in table.minded.sense.items} == {"advance:c4"}
    table.eye.follow()
    assert table.look() == "sync"


def test_the_commander_of_the_last_turn_was_on_its_space_in_no_position_and_goes_home_too(table: Table) -> None:
    steps, positions = played()
    last = next(n for n, step in enumerate(steps) if positions[n].round != positions[n + 1].round)
    for step in steps[: last + 1]:
        table.match.offer(step)
    table.eye.lay(replace(table.match.position, commanders=standing(positions[last], steps[last])))
    assert table.look() == "behind"
    assert "advance:b1" in {item.place for item in table.minded.sense.items}


def test_what_was_misread_when_the_last_turn_was_taken_is_no_alarm_at_the_rounds_end(table: Table) -> None:
    steps, positions = played()
    last = next(n for n, step in enumerate(steps) if positions[n].round != positions[n + 1].round)
    for step in steps[:last]:
        table.match.offer(step)
    shown = reading_of(replace(positions[last + 1], commanders=standing(positions[last], steps[last])))
    free = next(one.name for one in positions[last].board.spaces if one.area and one.name not in shown.commanders)
    misread = replace(
        shown, commanders={**shown.commanders, free: "red"}, leaders={**shown.leaders, free: {"red": 0.9}}
    )
    table.eye.laid = TableView("settled", misread)
    table.look()
    assert table.look(THINKING_S) == "proposal"
    for step in table.minded.sense.explanations[0].steps:
        table.match.offer(step)
    assert table.match.position.round == 2
    table.look()
    assert table.look(OUT_AFTER_S) == "behind"


def test_what_was_misread_is_nothing_to_follow_by_itself(table: Table) -> None:
    board = last_of_the_round(table)
    seen = reading_of(replace(board, commanders=(board.commanders[0] | 1, board.commanders[1])))
    alone = reading_of(replace(board, commanders=(1, 0)))
    assert not is_behind(table.match, compare(table.match.position, seen), seen)
    assert is_behind(table.match, compare(table.match.position, seen), seen, accepted=seen)
    assert not is_behind(table.match, compare(table.match.position, alone), alone, accepted=seen)


def test_where_pieces_are_amiss_as_well_the_end_of_a_round_is_no_excuse(table: Table) -> None:
    board = last_of_the_round(table)
    table.eye.lay(replace(table.wrong(), commanders=board.commanders))
    table.look()
    assert table.look(OUT_AFTER_S) == "out"


def test_once_the_game_is_over_the_table_may_be_cleared(table: Table) -> None:
    while table.match.position.winner is None:
        table.match.offer(Pass())
    table.eye.lay(table.wrong())
    table.look()
    assert table.look(60.0) == "turn"


def test_what_nothing_explains_is_out_of_sync_after_a_while(table: Table) -> None:
    table.look()
    table.eye.lay(table.wrong())
    assert table.look() == "waiting"
    assert table.look(OUT_AFTER_S - 0.1) == "waiting"
    assert table.look(0.2) == "out"
    [item] = table.minded.sense.items
    assert (item.place, item.faction, item.unit, item.more) == ("b3", "black", "troop", 1)
    assert item.why


def test_what_the_eye_only_doubts_is_not_to_be_put_right(table: Table) -> None:
    """Beside what is really wrong, an area that is as likely as not as the game has it, and a commander's shadow."""
    table.look()
    a1, wrong = standing_in(table.match.position, "a1"), table.wrong()
    more = tuple((who, unit, n + 1) for who, unit, n in a1)
    reading = reading_of(wrong, {"a1": ((more, 0.6), (a1, 0.4))})
    shadow = {**reading.leaders, "bombard:a4": {"black": 0.7}}
    table.eye.laid = TableView("settled", replace(reading, leaders=shadow, commanders={"bombard:a4": "black"}))
    table.look()
    assert table.look(OUT_AFTER_S) == "out"
    assert [(item.place, item.more) for item in table.minded.sense.items] == [("b3", 1)]


def test_answers_are_forgotten_in_a_game_on_another_board(match: Match, tmp_path: Path) -> None:
    minded = SyncMonitor(InlineExplainer())
    minded.update(match, TableView("settled", reading_of(match.position, picture=True)), 0.0)
    for area in match.position.board.areas:
        minded.answer(area.name, standing_in(match.position, area.name))
    other = Match.start(tmp_path / "alpine.jsonl", "wwii-alpine", "blue", set_up(load_board("wwii-alpine"), 1)[1])
    gone = {area.name for area in match.position.board.areas} - {area.name for area in other.position.board.areas}
    assert gone
    minded.update(other, TableView("settled", reading_of(other.position, picture=True)), 9.0)
    assert minded.sense.sign == "sync"
    other.close()


def test_where_the_eye_insists_on_nothing_all_that_is_odd_is_told(table: Table) -> None:
    items = (Item("a1", "black", "troop", 1), Item("b3", "black", "troop", -1))
    position = table.match.position
    assert items_insisted_on(items, position, reading_of(position)) == items


def test_commanders_that_are_clearly_there_or_gone_are_told(table: Table) -> None:
    position = table.match.position
    reading = replace(reading_of(position), leaders={"bombard:a4": {"black": 0.97}})
    items = (Item("bombard:a4", "black", "commander", 1), Item("advance:c4", "red", "commander", -1))
    assert items_insisted_on((*items, Item("a1", "black", "troop", 1)), position, reading) == items


def test_another_piece_does_not_start_the_wait_anew(table: Table) -> None:
    table.look()
    table.eye.lay(table.wrong("b3"))
    table.look()
    table.eye.lay(table.wrong("b5"))
    assert table.look(OUT_AFTER_S) == "out"
    table.eye.follow()
    assert table.look() == "sync"


def test_a_ruling_comes_with_its_citation(table: Table) -> None:
    """Three troops from e3 would empty it: no turn may."""
    start = table.match.position
    n = start.units_in("d5")["red"]["troop"]
    gone = Agreed(areas=(("d5", ()), ("c4", (("red", "troop", n),))), spaces=(("advance:c4", ("red",)),), to_move="red")
    table.eye.lay(game.apply(start, gone))
    table.look()
    assert table.look(THINKING_S) == "out"
    findings = [item.finding for item in table.minded.sense.items if item.finding is not None]
    assert "advance.last-unit" in {finding.rule for finding in findings}
    assert all(str(finding.citation) for finding in findings)


# ---- questions and answers ------------------------------------------------------------------------


class Torn:
    """An explainer that cannot choose between turns."""

    def __init__(self, position: Position, turns: tuple[tuple[Deploy, float], ...]) -> None:
        self.asked: list[InferenceRequest] = []
        found = [game.apply(position, step) for step, _chance in turns]
        self.inference = Inference(
            tuple(Explanation((step,), after, "", chance) for (step, chance), after in zip(turns, found, strict=True)),
            (),
        )

    def explanation(self, asked: InferenceRequest) -> Inference | None:
        self.asked.append(asked)
        return self.inference


def moved(n: int) -> Deploy:
    return Deploy("advance:c4", moves=(("d5", "troop", n),))


def test_where_turns_differ_in_an_area_it_is_not_sure_of_it_asks_there(match: Match) -> None:
    explainer = Torn(match.position, ((moved(1), 0.4), (moved(2), 0.4)))
    minded = SyncMonitor(explainer)
    after = game.apply(match.position, moved(1))
    one, two = (("red", "troop", 1),), (("red", "troop", 2),)
    reading = reading_of(after, {"c4": ((one, 0.5), (two, 0.45), (THREE, 0.04), ((), 0.005))})
    minded.update(match, TableView("settled", reading), 0.0)
    assert minded.sense.question is None, "not while hands may go on"
    minded.update(match, TableView("settled", reading), PAUSE_S)
    asked = minded.sense.question
    assert asked is not None
    assert asked.area == "c4"
    assert asked.answers == (one, two, THREE, ()), "what the game has there is offered too"
    minded.answer("c4", two)
    minded.update(match, TableView("settled", reading), PAUSE_S + 1.0)
    told = explainer.asked[-1].reading
    assert told.units["c4"] == {"red": {"troop": 2}}
    assert told.confidence["c4"] == 1.0


def test_where_one_of_a_few_turns_was_done_it_asks_which_and_offers_none_first(match: Match) -> None:
    minded = SyncMonitor(Torn(match.position, ((moved(1), 0.5), (moved(2), 0.45))))
    reading = reading_of(game.apply(match.position, moved(1)), {"c4": ((ONE_RED, 0.5), (TWO, 0.45))})
    minded.update(match, TableView("settled", reading), 0.0)
    minded.update(match, TableView("settled", reading), PAUSE_S)
    assert minded.sense.sign == "proposal"
    assert (minded.sense.choice, minded.sense.question) == (2, None)
    assert [one.steps for one in minded.sense.explanations] == [(moved(1),), (moved(2),)]


@pytest.mark.parametrize(
    ("likely", "few"),
    [((0.5, 0.45), 2), ((0.5, 0.2, 0.2), 3), ((0.3, 0.2, 0.2, 0.15, 0.1), 4), ((0.2,) * 5, 0), ((0.5, 0.3), 0)],
)
def test_a_few_turns_are_asked_about_only_where_hardly_any_other_was_done(
    match: Match, likely: tuple[float, ...], few: int
) -> None:
    assert choice([Explanation((), match.position, "", one) for one in likely]) == few


def test_an_answer_lasts_until_the_eye_is_sure_of_something_else(match: Match) -> None:
    explainer = Torn(match.position, ((moved(1), 0.4), (moved(2), 0.4)))
    minded = SyncMonitor(explainer)
    after = game.apply(match.position, moved(1))
    one = (("red", "troop", 1),)

    def seen_in_c4(options: tuple[tuple[Combo, float], ...]) -> dict[str, dict[str, int]]:
        minded.update(match, TableView("settled", reading_of(after, {"c4": options})), 0.0)
        force = explainer.asked[-1].reading.units["c4"]
        return {faction: dict(units) for faction, units in force.items()}

    seen_in_c4(((one, 0.6), (TWO, 0.4)))
    minded.answer("c4", TWO)
    assert seen_in_c4(((one, 0.6), (TWO, 0.4))) == {"red": {"troop": 2}}
    assert seen_in_c4(((THREE, 0.6), (TWO, 0.4))) == {"red": {"troop": 2}}, "it wavers"
    assert seen_in_c4(((one, 0.95), (TWO, 0.05))) == {"red": {"troop": 2}}, "what it thought then does not count"
    assert seen_in_c4(((THREE, 0.95), (TWO, 0.05))) == {"red": {"troop": 3}}, "pieces were moved"
    assert seen_in_c4(((one, 0.6), (TWO, 0.4))) == {"red": {"troop": 1}}, "and the answer is forgotten"


def test_an_area_that_looks_as_it_did_after_the_last_turn_holds_what_it_held(table: Table) -> None:
    picture = np.random.default_rng(1).integers(60, 120, (*Grid(table.match.position.board.size_mm).shape, 3), np.uint8)
    has = standing_in(table.match.position, "b3")
    more = tuple((who, unit, n + 1) for who, unit, n in has)
    for doubts in (None, {"b3": ((more, 0.99), (has, 0.01))}):
        reading = replace(reading_of(table.match.position, doubts), board_image=picture)
        table.eye.laid = TableView("settled", reading)
        assert table.look() == "sync"
        assert table.minded.sense.question is None


@pytest.mark.parametrize(("rival", "listed"), [(0.4, 2), (0.2, 0)])
def test_of_turns_that_leave_the_same_pieces_none_is_offered_first_where_both_are_as_likely(
    match: Match, rival: float, listed: int
) -> None:
    """They differ in the space of the support board alone, and a third one is far less likely."""
    places = ((1, ("d3", 3)), (2, ("d3", 3)), (2, ("e1", 3)))
    steps = [Deploy(f"reinforce:{n}", place=((area, "troop", k),)) for n, (area, k) in places]
    turns = tuple(zip(steps, (0.85 - rival, rival, 0.02), strict=True))
    minded = SyncMonitor(Torn(match.position, turns))
    seen = reading_of(game.apply(match.position, steps[0]), {"d3": (((("red", "troop", 5),), 0.6), (TWO, 0.4))})
    for now_s in (0.0, THINKING_S):
        minded.update(match, TableView("settled", seen), now_s)
    assert minded.sense.sign == "proposal"
    assert minded.sense.question is None
    assert minded.sense.choice == listed


def test_what_hardly_is_a_rival_is_no_reason_to_ask(match: Match) -> None:
    minded = SyncMonitor(Torn(match.position, ((moved(1), 0.5), (moved(2), 0.04))))
    reading = reading_of(game.apply(match.position, moved(1)), {"c4": ((ONE_RED, 0.5), (TWO, 0.45))})
    minded.update(match, TableView("settled", reading), 0.0)
    assert minded.sense.question is None
    assert minded.sense.explanations


def test_what_was_answered_once_is_asked_no_more_as_long_as_the_area_looks_the_same(table: Table) -> None:
    table.look()
    has = standing_in(table.match.position, "b3")
    more = tuple((who, unit, n + 1) for who, unit, n in has)
    insists = {"b3": ((more, 0.99), (has, 0.01))}

    def looked_at(picture: Picture, *pieces: Piece) -> str:
        seen = reading_of(table.match.position, insists)
        known = tuple(replace(one, score=0.999) for one in seen.pieces)
        seen = replace(seen, board_image=picture, pieces=known + pieces)
        table.eye.laid = TableView("settled", seen)
        table.look()
        return table.look(60.0)

    picture = np.random.default_rng(1).integers(60, 120, (*Grid(table.match.position.board.size_mm).shape, 3), np.uint8)
    assert looked_at(picture) == "unsure"
    table.minded.answer("b3", has)
    assert looked_at(picture) == "sync"
    table.match.offer(ADVANCE)
    assert looked_at(np.asarray(picture * 1.2, np.uint8)) == "sync", "in another light, after a turn"
    across_mm, down_mm = table.match.position.board.area("b3").centres_mm[0]
    beside = (across_mm + 14.0, down_mm)
    across, down = (round(2 * (part + 8.0)) for part in beside)
    picture[down - 12 : down + 12, across - 12 : across + 12] = 250
    (who, unit, _n), *_ = has
    seen_there = Piece(who, unit, "b3", beside, 0.99)
    assert looked_at(picture, seen_there) == "unsure", "a piece more: it has to be asked again"


def test_where_another_turn_is_taken_than_the_first_people_have_said_what_stands_there(match: Match) -> None:
    picture = np.random.default_rng(1).integers(60, 120, (*Grid(match.position.board.size_mm).shape, 3), np.uint8)
    explainer = Torn(match.position, ((moved(1), 0.9), (moved(2), 0.1)))
    minded = SyncMonitor(explainer)
    seen = replace(reading_of(game.apply(match.position, moved(1))), board_image=picture)
    minded.update(match, TableView("settled", seen), 0.0)
    assert minded.sense.sign == "proposal"
    match.offer(moved(2))
    minded.update(match, TableView("settled", seen), 1.0)
    told = explainer.asked[-1].reading
    assert told.units["c4"] == {"red": {"troop": 2}}, "though the eye is sure of one"
    assert told.units["d5"] == match.position.units_in("d5")


@pytest.mark.parametrize("refused", [True, False])
def test_what_was_entered_instead_of_what_was_proposed_is_people_s_word_for_what_stands_there(
    match: Match, refused: bool
) -> None:
    picture = np.random.default_rng(1).integers(60, 120, (*Grid(match.position.board.size_mm).shape, 3), np.uint8)
    explainer = Torn(match.position, ((moved(1), 0.9),))
    minded = SyncMonitor(explainer)
    seen = replace(reading_of(game.apply(match.position, moved(1))), board_image=picture)
    minded.update(match, TableView("settled", seen), 0.0)
    if refused:
        minded.refuse()
    match.offer(moved(2))
    minded.update(match, TableView("settled", seen), 1.0)
    told = explainer.asked[-1].reading
    assert told.units["c4"] == {"red": {"troop": 2 if refused else 1}}
    assert told.units["b3"] == match.position.units_in("b3")


def test_a_turn_on_a_board_that_has_changed_since_is_no_word_for_the_one_before(match: Match) -> None:
    picture = np.random.default_rng(1).integers(60, 120, (*Grid(match.position.board.size_mm).shape, 3), np.uint8)
    explainer = Torn(match.position, ((moved(1), 0.9),))
    minded = SyncMonitor(explainer)
    seen = replace(reading_of(game.apply(match.position, moved(1))), board_image=picture)
    minded.update(match, TableView("settled", seen), 0.0)
    minded.refuse()
    match.offer(moved(2))
    minded.update(match, TableView("settled", replace(seen)), 1.0)
    assert explainer.asked[-1].reading.units["c4"] == {"red": {"troop": 1}}


def test_where_one_turn_is_plain_it_asks_nothing(match: Match) -> None:
    minded = SyncMonitor(Torn(match.position, ((moved(1), 0.9), (moved(2), 0.1))))
    reading = reading_of(game.apply(match.position, moved(1)), {"c4": ((TWO, 0.5), (THREE, 0.5))})
    minded.update(match, TableView("settled", reading), 0.0)
    assert minded.sense.question is None
    assert len(minded.sense.explanations) == 2


def test_it_asks_about_nothing_that_it_sees_well(match: Match) -> None:
    after = game.apply(match.position, moved(1))
    explainer = Torn(match.position, ((moved(1), 0.4), (moved(2), 0.4)))
    assert question(match.position, reading_of(after), explainer.inference.explanations) is None


def test_an_answer_may_be_that_nothing_stands_there(match: Match) -> None:
    reading = reading_of(match.position, covered=("e3",))
    told = with_answers(reading, {"e3": (), "c4": (("black", "troop", 1), ("red", "troop", 2))})
    assert "e3" not in told.units
    assert told.unreadable == ()
    assert told.units["c4"] == {"black": {"troop": 1}, "red": {"troop": 2}}
    assert with_answers(reading, {}) is reading


def test_what_the_eye_and_the_game_have_there_is_offered_once(match: Match) -> None:
    reading = reading_of(match.position)
    assert answers_for(match.position, reading, "e3") == (standing_in(match.position, "e3"),)


def test_an_area_that_the_eye_insists_on_is_asked_about_after_a_while(table: Table) -> None:
    table.look()
    has = standing_in(table.match.position, "b3")
    more = tuple((who, unit, n + 1) for who, unit, n in has)
    table.eye.lay(table.match.position, {"b3": ((more, 0.99), (has, 0.01))})
    assert table.look() == "waiting"
    assert table.minded.sense.question is None
    assert table.look(OUT_AFTER_S) == "unsure"
    asked = table.minded.sense.question
    assert asked is not None
    assert (asked.area, set(asked.answers)) == ("b3", {more, has})
    table.minded.answer("b3", has)
    assert table.look() == "sync"


def test_that_it_is_really_so_puts_it_out_of_sync(table: Table) -> None:
    table.look()
    has = standing_in(table.match.position, "b3")
    more = tuple((who, unit, n + 1) for who, unit, n in has)
    table.eye.lay(table.match.position, {"b3": ((more, 0.8), (has, 0.2))})
    table.look()
    table.minded.answer("b3", more)
    table.look()
    assert table.look(OUT_AFTER_S) == "out"


def test_what_is_odd_beside_a_turn_is_told_with_it(table: Table) -> None:
    table.look()
    after = game.apply(table.match.position, ADVANCE)
    table.eye.lay(game.apply(after, Agreed(areas=(("b3", (("black", "troop", 3),)),))))
    assert table.look() == "proposal"
    assert [(item.place, item.more) for item in table.minded.sense.items] == [("b3", 1)]


def test_the_nearest_turn_comes_with_what_is_amiss_beside_it(table: Table) -> None:
    table.minded = SyncMonitor(Exact())
    table.minded._synced = True
    after = game.apply(table.match.position, ADVANCE)
    wrong = Agreed(areas=(("b3", (("black", "troop", 3),)),))
    table.eye.lay(game.apply(after, wrong))
    table.look()
    assert table.look(OUT_AFTER_S) == "out"
    sense = table.minded.sense
    assert [(item.place, item.more) for item in sense.items] == [("b3", 1)]
    assert sense.nearest is not None
    assert sense.nearest.steps[0] == ADVANCE


# ---- the thread ------------------------------------------------------------------------------------


def test_while_it_thinks_the_last_meaning_stays(match: Match) -> None:
    class Slow:
        done = False

        def explanation(self, asked: InferenceRequest) -> Inference | None:
            return explain(asked) if self.done else None

    slow = Slow()
    minded = SyncMonitor(slow)
    minded.update(match, TableView("settled", reading_of(match.position)), 0.0)
    signs = [minded.sense.sign]
    slow.done = True
    minded.update(match, TableView("settled", reading_of(match.position)), 0.0)
    signs.append(minded.sense.sign)
    slow.done = False
    minded.update(match, TableView("settled", reading_of(game.apply(match.position, ADVANCE))), 0.0)
    assert [*signs, minded.sense.sign] == ["waiting", "sync", "sync"]


def waited_for(thinking: ThreadedExplainer, asked: InferenceRequest) -> Inference:
    assert until(lambda: thinking.explanation(asked) is not None), "the thread gave no answer"
    found = thinking.explanation(asked)
    assert found is not None
    return found


def test_the_thread_finds_what_is_found_at_once(match: Match) -> None:
    thinking = ThreadedExplainer()
    for n in (1, 2):
        asked = InferenceRequest(match.position, reading_of(game.apply(match.position, moved(n))))
        assert waited_for(thinking, asked) == InlineExplainer().explanation(asked)
        assert thinking.explanation(asked) is not None, "it is kept"
    thinking.close()
    thinking.join()


def test_a_fault_of_the_thread_comes_to_light(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(asked: InferenceRequest) -> Inference:
        raise ZeroDivisionError

    monkeypatch.setattr("companion.perception.turn_inference.explain", breaks)
    thinking = ThreadedExplainer()
    asked = InferenceRequest(match.position, reading_of(match.position))
    with pytest.raises(ZeroDivisionError):
        waited_for(thinking, asked)
    thinking.join()


def test_the_thread_leaves_out_what_nobody_waits_for_any_more(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    began, may_end = threading.Event(), threading.Event()
    explained: list[InferenceRequest] = []

    def slowly(asked: InferenceRequest) -> Inference:
        explained.append(asked)
        began.set()
        may_end.wait()
        return Inference((), ())

    monkeypatch.setattr("companion.perception.turn_inference.explain", slowly)
    thinking = ThreadedExplainer()
    first, second, third = (InferenceRequest(match.position, reading_of(match.position)) for _ in range(3))
    thinking.explanation(first)
    began.wait()
    thinking.explanation(second)
    thinking.explanation(third)
    may_end.set()
    assert waited_for(thinking, third) == Inference((), ())
    assert explained == [first, third]
    thinking.close()
    thinking.join()


# ---- while a card may still be played ---------------------------------------------------------


def test_an_open_window_for_cards_asks_nothing_of_the_board(table: Table) -> None:
    up_to_a_window(table.match)
    assert table.look() == "turn"
    assert table.look(THINKING_S) == "turn"


def test_who_plays_on_at_the_board_passes_the_window_by(table: Table) -> None:
    turn = up_to_a_window(table.match)
    table.look()
    table.eye.lay(game.apply(table.match.position, turn))
    table.look()
    assert table.look(FEWER_S) == "proposal"
    first = table.minded.sense.explanations[0]
    assert first.steps[0] == turn
    assert table.match.offer(first.steps[0]).legal


def test_while_hands_are_there_an_open_window_stays_open(table: Table) -> None:
    turn = up_to_a_window(table.match)
    table.look()
    table.eye.lay(game.apply(table.match.position, turn), state="hand")
    assert table.look() == "turn"


def test_the_board_of_a_turn_that_was_taken_stands_as_recorded_wherever_the_eye_only_doubts_it(table: Table) -> None:
    after = ready(game.apply(table.match.position, ADVANCE), Pass())
    as_recorded = standing_in(after, "e3")
    doubts = {"e3": (((), 0.89), (as_recorded, 0.05))}
    table.eye.laid = TableView("settled", reading_of(after, doubts, picture=True))
    table.look()
    assert table.look(60.0) == "proposal"
    table.match.offer(ADVANCE)
    assert table.look() == "sync", "people have said so, and nothing has changed since"
