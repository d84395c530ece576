"""What a table at rest means: hands that follow, a round's end, what is amiss, and how sure a proposal is called."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion.demo.player import set_up
from companion.games.match import Match
from companion.perception.adapters import compare, record_of
from companion.perception.area_questions import standing_in
from companion.perception.sync.judgement import (
    LEFT_OPEN,
    OUT_AFTER_S,
    REROLLED,
    is_behind,
    items_insisted_on,
    temper_turns,
)
from companion.perception.sync.monitor import SyncMonitor
from companion.perception.sync.state import AreaCounted
from companion.perception.sync.status import Item, TableView
from companion.perception.sync.turn_progress import THINKING_S
from companion.perception.turn_inference import InlineExplainer
from engine.orders import game
from engine.orders.board import load_board
from engine.orders.inference.infer import Explanation
from engine.orders.position import Position
from engine.orders.steps import Agreed, Deploy, OtherCorrections, Pass, Roll, Step
from engine.orders.turn import commanders_before_homecoming
from tests.companion.perception.seeing import reading_of
from tests.companion.perception.sync.table import ADVANCE, Table, moved
from tests.companion.sample_games import first_round, offered, played


def test_a_game_told_by_touch_waits_for_the_hands(table: Table) -> None:
    start = table.match.position
    table.look()
    table.eye.lay(start)
    table.match.offer(ADVANCE)
    assert table.look() == "behind"
    assert table.look(60.0) == "behind", "however long it takes"
    assert {item.place for item in table.minded.sense.items} == {"c4", "d5", "advance:c4"}
    assert table.lies(table.match.position) == "sync"
    assert table.lies(start, after_s=OUT_AFTER_S) == "out", (
        "it was there already: pieces that go back were not forgotten"
    )


def test_hands_follow_only_what_was_done_since_board_and_game_agreed(table: Table) -> None:
    start = reading_of(table.match.position)
    table.match.offer(ADVANCE)
    differences = compare(table.match.position, start)
    assert is_behind(record_of(table.match), differences, start)
    assert not is_behind(record_of(table.match), differences, start, agreed=1), "pieces that go back were not forgotten"
    table.match.undo()
    cleared = reading_of(last_of_the_round(table))
    steps = len(table.match.steps)
    assert is_behind(record_of(table.match), compare(table.match.position, cleared), cleared, agreed=steps), (
        "a round has ended"
    )


def test_a_turn_that_was_taken_from_the_camera_is_on_the_board_already(table: Table) -> None:
    table.eye.lay(game.apply(table.match.position, ADVANCE))
    table.look()
    table.take()
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
    """Return the board at a round's end, before anybody takes a commander home: each side has one on the map."""
    table.match.offer(ADVANCE)
    table.match.offer(Deploy("advance:c5", moves=(("b5", "troop", 1),)))
    deployed = table.match.position.commanders
    while table.match.position.round == 1:
        table.match.offer(Pass())
    return replace(table.match.position, commanders=deployed)


def test_at_a_rounds_end_the_commanders_go_home_one_by_one_without_an_alarm(table: Table) -> None:
    board = last_of_the_round(table)
    assert table.lies(board) == "behind"
    assert table.look(60.0) == "behind", "however long it takes"
    assert {item.place for item in table.minded.sense.items} == {"advance:c4", "advance:c5"}
    assert table.lies(replace(board, commanders=(board.commanders[0], 0))) == "behind"
    assert {item.place for item in table.minded.sense.items} == {"advance:c4"}
    table.eye.follow()
    assert table.look() == "sync"


def last_of_the_first_round() -> tuple[Position, Step]:
    """Return the position before the first round's last step of the recorded game, and the step."""
    steps, positions = played()
    return positions[first_round() - 1], steps[first_round() - 1]


def test_the_commander_of_the_last_turn_was_on_its_space_in_no_position_and_goes_home_too(table: Table) -> None:
    offered(table.match, first_round())
    board = replace(table.match.position, commanders=commanders_before_homecoming(*last_of_the_first_round()))
    assert table.lies(board) == "behind"
    assert "advance:b1" in {item.place for item in table.minded.sense.items}


def test_what_was_misread_when_the_last_turn_was_taken_is_no_alarm_at_the_rounds_end(table: Table) -> None:
    offered(table.match, first_round() - 1)
    after = played()[1][first_round()]
    shown = reading_of(replace(after, commanders=commanders_before_homecoming(*last_of_the_first_round())))
    free = next(space.name for space in after.board.spaces if space.area and space.name not in shown.commanders)
    misread = replace(
        shown, commanders={**shown.commanders, free: "red"}, leaders={**shown.leaders, free: {"red": 0.9}}
    )
    table.eye.laid = TableView("settled", misread)
    table.look()
    assert table.look(THINKING_S) == "proposal"
    table.take()
    assert table.match.position.round == 2
    table.look()
    assert table.look(OUT_AFTER_S) == "behind"


def test_what_was_misread_is_nothing_to_follow_by_itself(table: Table) -> None:
    board = last_of_the_round(table)
    seen = reading_of(replace(board, commanders=(board.commanders[0] | 1, board.commanders[1])))
    alone = reading_of(replace(board, commanders=(1, 0)))
    assert not is_behind(record_of(table.match), compare(table.match.position, seen), seen)
    assert is_behind(record_of(table.match), compare(table.match.position, seen), seen, accepted=seen)
    assert not is_behind(record_of(table.match), compare(table.match.position, alone), alone, accepted=seen)


def test_where_pieces_are_amiss_as_well_the_end_of_a_round_is_no_excuse(table: Table) -> None:
    board = last_of_the_round(table)
    assert table.lies(replace(table.wrong(), commanders=board.commanders), after_s=OUT_AFTER_S) == "out"


def test_once_the_game_is_over_the_table_may_be_cleared(table: Table) -> None:
    while table.match.position.winner is None:
        table.match.offer(Pass())
    assert table.lies(table.wrong(), after_s=60.0) == "turn"


def test_what_nothing_explains_is_out_of_sync_after_a_while(table: Table) -> None:
    assert table.lies(table.wrong()) == "waiting"
    assert table.look(OUT_AFTER_S - 0.1) == "waiting"
    assert table.look(0.2) == "out"
    [item] = table.minded.sense.items
    assert (item.place, item.faction, item.unit, item.more) == ("b3", "black", "troop", 1)
    assert item.why


def test_what_the_eye_only_doubts_is_not_to_be_put_right(table: Table) -> None:
    """Beside what is really wrong, an area that is as likely as not as the game has it, and a commander's shadow."""
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
        minded.advance(AreaCounted(area.name, standing_in(match.position, area.name)))
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
    assert table.lies(game.apply(start, gone), after_s=THINKING_S) == "out"
    findings = [item.finding for item in table.minded.sense.items if item.finding is not None]
    assert "advance.last-unit" in {finding.rule for finding in findings}
    assert all(str(finding.citation) for finding in findings)


def turn(position: Position, *steps: Step, likelihood: float = 0.99) -> Explanation:
    return Explanation(steps, game.fold(position, steps), "", likelihood)


def test_a_turn_that_shows_is_as_sure_as_it_is(match: Match) -> None:
    turns = (turn(match.position, ADVANCE), turn(match.position, moved(1), likelihood=0.01))
    assert temper_turns(turns, match.position) == turns


def test_what_may_be_the_beginning_of_a_fuller_turn_is_not_sure(match: Match) -> None:
    for fuller, sure in ((0.0, 0.99), (0.1, 0.99), (0.2, LEFT_OPEN), (3.0, LEFT_OPEN)):
        [said] = temper_turns((turn(match.position, moved(1)),), match.position, fuller=fuller)
        assert said.likelihood == sure


def test_a_turn_is_no_surer_than_what_the_eye_makes_of_the_table(match: Match) -> None:
    [said] = temper_turns((turn(match.position, ADVANCE),), match.position, doubtful=True)
    assert said.likelihood == LEFT_OPEN < 0.9


def test_another_turn_that_leaves_the_same_table_leaves_it_open(match: Match) -> None:
    position = match.position
    first = turn(position, Deploy("reinforce:1", place=(("d3", "troop", 3), ("e1", "troop", 3))))
    rival = replace(first, likelihood=0.02)
    assert [explanation.likelihood for explanation in temper_turns((first, rival), position)] == [LEFT_OPEN, 0.02]
    assert temper_turns((first, replace(rival, likelihood=0.001)), position)[0] == first, "it is far less likely"


def test_a_card_for_an_extra_commander_leaves_open_whether_a_round_has_ended(match: Match) -> None:
    ended = turn(match.position, ADVANCE)
    ended = replace(ended, position=replace(ended.position, round=2, commanders=(0, 0)))
    rival = turn(match.position, ADVANCE, likelihood=0.02)
    elsewhere = replace(rival, steps=(Deploy("advance:b3", moves=ADVANCE.moves),))
    idle = turn(match.position, Pass(), likelihood=0.02)
    said = [
        temper_turns((ended, explanation), match.position)[0].likelihood for explanation in (rival, elsewhere, idle)
    ]
    assert said == [LEFT_OPEN, 0.99, 0.99]


def test_dice_may_have_been_rolled_again_where_somebody_has_a_card_for_it(match: Match) -> None:
    match.offer(Agreed(areas=(("d5", (("black", "troop", 1),)),)))
    shot = (Deploy("bombard:e4", target="d5"), Roll((1, 1, 1), "red"))
    [bare] = temper_turns((turn(match.position, *shot),), match.position)
    match.offer(Agreed(other=OtherCorrections(hands=(("red", 1),))))
    [held] = temper_turns((turn(match.position, *shot),), match.position)
    assert bare.likelihood == 0.99
    assert held.likelihood == pytest.approx(0.99 * (1 - REROLLED))
    assert held.likelihood < 0.9
