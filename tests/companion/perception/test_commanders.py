"""Commanders that have just come, or that the eye took for units: known ones, new ones, and units that are none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion.games.match import Match
from companion.perception.adapters import plan_of, record_of
from companion.perception.area_questions import standing_in
from companion.perception.known_areas import Answers, with_leaders
from companion.perception.learning import Learner
from companion.perception.mistaken_commanders import NEAR_MM, commanders_on_board, new_commanders, with_known_commanders
from companion.perception.sync.monitor import SyncMonitor
from companion.perception.sync.status import InferenceRequest, TableView
from companion.perception.turn_inference import InlineExplainer, weigh_turns
from engine.orders import game
from engine.orders.board import load_board
from engine.orders.inference.infer import Inference
from engine.orders.position import Position
from engine.orders.steps import Agreed, Deploy, Roll, Step
from engine.orders.turn import commanders_before_homecoming
from tests.companion.perception.seeing import Options, reading_of
from tests.companion.sample_games import BOARD, BONUSES, first_round, offered, played
from vision.reading.count import beliefs, units_of
from vision.reading.pieces import Piece
from vision.reading.read import Reading

STEPS, POSITIONS = played()
BEFORE, AFTER = POSITIONS[18], POSITIONS[20]
"""Red, with one troop in d3, shells c3 from there and hits."""
SPACE, AREA = "shell:d3", "d3"


def mistaken(
    position: Position, beside_mm: float = 0.5, who: str = "red", kind: str = "troop", space: str = SPACE
) -> Reading:
    """Return what the eye sees of a position if it takes the commander on a space for two units on each other."""
    reading, there = reading_of(position), position.board.space(space)
    assert there.at_mm is not None
    assert there.area is not None
    seen = (Piece(who, kind, there.area, (there.at_mm[0] + beside_mm, there.at_mm[1]), 0.95),) * 2
    pieces = (*(replace(piece, score=0.999) for piece in reading.pieces), *seen)
    count = beliefs(pieces, plan_of(position.board))[there.area]
    return replace(
        reading,
        units={**reading.units, **units_of({there.area: count})},
        commanders={where: held for where, held in reading.commanders.items() if where != space},
        confidence={**reading.confidence, there.area: count.confidence},
        counts={**reading.counts, there.area: count},
        leaders={**reading.leaders, space: {}},
        pieces=pieces,
    )


def test_units_on_the_space_of_a_known_commander_are_that_commander() -> None:
    seen = mistaken(AFTER)
    assert seen.units[AREA] == {"red": {"troop": 3}}
    told = with_known_commanders(seen, AFTER.board, AFTER.commanders)
    assert told.units == reading_of(AFTER).units
    assert told.commanders == reading_of(AFTER).commanders
    assert told.confidence[AREA] < 0.9, "the eye was wrong there"


@pytest.mark.parametrize(
    "seen",
    [
        mistaken(BEFORE),
        mistaken(AFTER, beside_mm=NEAR_MM + 0.5),
        mistaken(AFTER, who="black"),
        reading_of(AFTER),
    ],
    ids=["no commander", "beside its space", "another side's", "nothing there"],
)
def test_other_units_stay_what_they_are(seen: Reading) -> None:
    commanders = BEFORE.commanders if seen.units == mistaken(BEFORE).units else AFTER.commanders
    known = (commanders[0] & 1 << AFTER.board.space_index[SPACE], 0)
    assert with_known_commanders(seen, AFTER.board, known) is seen


def test_a_covered_area_stays_covered() -> None:
    seen = replace(mistaken(AFTER), unreadable=(AREA,), units={}, confidence={AREA: 0.0})
    told = with_known_commanders(seen, AFTER.board, AFTER.commanders)
    assert told.units == {}
    assert told.confidence[AREA] == 0.0


def test_a_new_commander_taken_for_units_is_proposed() -> None:
    first, *_ = weigh_turns(InferenceRequest(BEFORE, mistaken(AFTER))).explanations
    assert first.position.units == AFTER.units
    assert first.position.commanders == AFTER.commanders


@pytest.mark.parametrize(("beside_mm", "waits"), [(0.5, True), (3.0, False)])
def test_a_miss_whose_commander_is_taken_for_units_waits_for_the_dice(
    match: Match, beside_mm: float, waits: bool
) -> None:
    offered(match, 18)
    monitor, missed = SyncMonitor(InlineExplainer()), replace(BEFORE, commanders=AFTER.commanders)
    seen = replace(mistaken(missed, beside_mm), confidence={**reading_of(BEFORE).confidence, AREA: 0.8})
    for now_s, reading in enumerate((reading_of(BEFORE), seen)):
        monitor.update(match, TableView("settled", reading), 10.0 * now_s)
    assert (monitor.sense.sign == "dice") is waits
    if waits:
        first = monitor.sense.explanations[0]
        assert getattr(first.steps[0], "space", None) == SPACE
        assert first.position.units == BEFORE.units


@pytest.mark.parametrize(
    "seen",
    [
        reading_of(AFTER),
        mistaken(AFTER, beside_mm=NEAR_MM + 0.5),
        mistaken(AFTER, kind="ship"),
        mistaken(AFTER, who="black"),
        replace(mistaken(AFTER), confidence={**mistaken(AFTER).confidence, AREA: 1.0}),
        replace(mistaken(AFTER), leaders={SPACE: {"red": 0.8}}),
    ],
    ids=["seen as one", "beside its space", "a ship", "of the side that waits", "people counted", "seen as both"],
)
def test_other_units_are_no_new_commanders(seen: Reading) -> None:
    assert new_commanders(BEFORE, seen) == []


def test_the_nearer_to_the_middle_the_likelier_it_is_a_commander() -> None:
    odds = [new_commanders(BEFORE, mistaken(AFTER, beside_mm=mm))[0].odds for mm in (0.0, 1.0, 2.0, 3.0)]
    assert odds == sorted(odds, reverse=True)
    assert odds[0] > 0 > odds[-1]


def test_where_the_game_has_a_commander_none_is_new() -> None:
    assert new_commanders(AFTER, mistaken(AFTER)) == []


def test_at_a_rounds_end_commanders_may_still_stand_there(match: Match) -> None:
    number = first_round() - 1
    last = commanders_before_homecoming(POSITIONS[number], STEPS[number])
    assert last != (0, 0)
    assert commanders_on_board(record_of(offered(match, number + 1))) == last
    offered(match, 1)
    assert commanders_on_board(record_of(match)) == match.position.commanders


class Listening(InlineExplainer):
    """Keeps what it was asked last."""

    def explanation(self, asked: InferenceRequest) -> Inference:
        self.asked = asked
        return super().explanation(asked)


@pytest.mark.parametrize("home", [True, False])
def test_once_all_have_gone_home_units_on_their_spaces_are_units(match: Match, home: bool) -> None:
    number = first_round() - 1
    offered(match, number + 1)
    board, last = match.position.board, commanders_before_homecoming(POSITIONS[number], STEPS[number])
    space = next(space for space in board.spaces if space.area is not None and last[0] >> space.index & 1)
    explainer = Listening()
    monitor = SyncMonitor(explainer)
    before = match.position if home else replace(match.position, commanders=last)
    now = mistaken(match.position, who=board.factions[0], space=space.name)
    for now_s, seen in enumerate((reading_of(before), now)):
        monitor.update(match, TableView("settled", seen), 10.0 * now_s)
    told = explainer.asked.reading
    assert (space.name not in told.commanders) is home
    assert (told.units.get(space.area or "") == now.units[space.area or ""]) is home


def test_before_the_first_step_the_game_has_its_own(match: Match) -> None:
    assert commanders_on_board(record_of(match)) == match.position.commanders


def test_a_mistaken_commander_teaches_nothing_of_units() -> None:
    learner = Learner()
    learner.refine(mistaken(AFTER))
    learner.learn(AFTER)
    spoiled = Learner()
    spoiled.refine(mistaken(AFTER))
    spoiled.learn(replace(AFTER, commanders=BEFORE.commanders))
    troop = 1 + learner.experience.keys.index(("red", "troop"))
    assert abs(learner.experience.mean[troop]) < abs(spoiled.experience.mean[troop])


def test_what_has_not_changed_since_before_the_turn_is_no_new_commander() -> None:
    answers, seen = Answers(), replace(reading_of(BEFORE, picture=True), leaders={SPACE: {"red": 0.9}})
    answers = answers.confirm(BEFORE, seen)
    assert answers.apply_to(seen).leaders[SPACE], "it may have come in this turn"
    answers = answers.next_turn(BEFORE).holding(seen, BEFORE.board)
    assert answers.areas
    told = answers.apply_to(seen)
    assert not told.leaders[SPACE]
    assert SPACE not in told.commanders
    assert with_leaders(seen, {}) is seen


def test_a_commander_that_stood_there_before_stays_while_nothing_changes() -> None:
    answers, seen = Answers(), reading_of(AFTER, picture=True)
    answers = answers.confirm(AFTER, seen).next_turn(AFTER).holding(seen, AFTER.board)
    assert answers.areas
    told = answers.apply_to(replace(seen, leaders={}, commanders={}))
    assert told.commanders == reading_of(AFTER).commanders


DIM = 0.85
YELLOW_FOUR, YELLOW_THREE = (("yellow", "troop", 4),), (("yellow", "troop", 3),)


@pytest.fixture
def island(tmp_path: Path) -> Match:
    """Blue is to move, and can shoot at c5 from c3."""
    board = load_board("wwii-island")
    match = Match.start(
        tmp_path / "game.jsonl", board.name, "blue", dict(zip(board.slots, board.mode.tokens, strict=False))
    )
    areas = (("c3", (("blue", "troop", 4),)), ("c5", YELLOW_FOUR))
    match.offer(Agreed(areas=areas))
    return match


def dimly(reading: Reading, space: str) -> Reading:
    """Return the reading with the eye unsure of blue's commander there and the area's picture not as it was."""
    area = space.partition(":")[2]
    return replace(
        reading,
        leaders={**reading.leaders, space: {"blue": DIM}},
        confidence={**reading.confidence, area: 0.8},
    )


def first_steps(match: Match, seen: Reading) -> tuple[Step, ...]:
    return weigh_turns(InferenceRequest(match.position, seen)).explanations[0].steps


def test_a_hit_and_a_commander_that_are_both_not_sure_tell_of_each_other(island: Match) -> None:
    barrage = (Deploy("barrage:c3", target="c5"), Roll((0, 1), "blue"))
    doubts: dict[str, Options] = {"c5": ((YELLOW_THREE, 0.87), (YELLOW_FOUR, 0.13))}
    seen = dimly(reading_of(game.fold(island.position, barrage), doubts), "barrage:c3")
    assert first_steps(island, seen)[:1] == barrage[:1]
    held = replace(seen, confidence={**seen.confidence, "c3": 1.0})
    assert first_steps(island, held) == (), "what looks as before is no new commander"


def test_of_a_drop_that_none_survived_a_touch_tells_the_target(tmp_path: Path) -> None:
    board = load_board("wwii-alpine")
    match = Match.start(
        tmp_path / "game.jsonl", board.name, "blue", dict(zip(board.slots, board.mode.tokens, strict=False))
    )
    troop = (("yellow", "troop", 1),)
    match.offer(Agreed(areas=(("a1", (("blue", "troop", 2),)), ("b5", troop), ("d4", troop))))
    position, monitor = match.position, SyncMonitor(InlineExplainer())
    dropping = Deploy("paradrop:a1", target="d4")
    fight = game.apply(position, Agreed(areas=(("d4", (("blue", "troop", 2), ("yellow", "troop", 1))),)))
    came = commanders_before_homecoming(position, dropping)
    for now_s, board_now in enumerate((position, replace(fight, commanders=came), replace(position, commanders=came))):
        seen = reading_of(board_now)
        monitor.update(match, TableView("settled", dimly(seen, "paradrop:a1") if now_s else seen), 10.0 * now_s)
    assert monitor.sense.sign == "dice"
    first = monitor.sense.explanations[0]
    assert first.steps[0] == dropping, "both sides were seen there"
    assert first.position.units == position.units
    assert standing_in(first.position, "d4") == troop


def test_a_turn_that_was_done_already_is_not_taken_for_what_was_confirmed(tmp_path: Path) -> None:
    match = Match.start(tmp_path / "game.jsonl", BOARD, "red", BONUSES)
    first, second = (
        Deploy("advance:c4", moves=(("d5", "troop", 2),)),
        Deploy("advance:c5", moves=(("b5", "troop", 2),)),
    )
    done = game.fold(match.position, (first, second))
    two, none = (("black", "troop", 2),), ()
    doubts: dict[str, Options] = {"c5": ((two, 0.8), (none, 0.2))}
    monitor, seen = SyncMonitor(InlineExplainer()), reading_of(done, doubts, picture=True)
    monitor.update(match, TableView("settled", reading_of(match.position)), 0.0)
    for now_s in (10.0, 60.0):
        monitor.update(match, TableView("settled", seen), now_s)
    assert first in [explanation.steps[0] for explanation in monitor.sense.explanations]
    match.offer(first)
    for now_s in (61.0, 120.0):
        monitor.update(match, TableView("settled", seen), now_s)
    assert monitor.sense.sign == "proposal"
    assert monitor.sense.explanations[0].steps[0] == second
