"""Whenever the other answer to a reading would change a ruling, an outcome or the score, that reading is named.

Random positions on every board, each turn of them played with every reading answered one way and the other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, pairwise
from random import Random

import pytest

from engine.areas import members
from engine.orders import game
from engine.orders.board import Board
from engine.orders.conflict import close_window
from engine.orders.draft import Draft, event_text
from engine.orders.position import Position, Stage
from engine.orders.score import is_over, score
from engine.orders.steps import Accept, Agreed, Deploy, Load, Play, Step
from engine.ruling import Ruling
from tests import play
from tests.boards.practice import BOARDS
from tests.tables import ATTACK, after, assault, atoll, deploy, loads, rivers, valley

pytestmark = pytest.mark.long

OWED = (Stage.DEFENCE, Stage.SHOT, Stage.LOSSES, Stage.RETURN)
LEAST_POSITIONS, MOST_POSITIONS = 2, 30
"""Random positions of each board: of each reading so many, then as many as it takes until it has decided something."""
BY_BOOK = {
    "sengoku": ("rivers", "fortress", "castle", "strip"),
    "wwii": ("alpine", "island", "valley", "atoll"),
}


RARE: dict[str, list[tuple[Position, Step]]] = {
    "sengoku": [
        (
            rivers("e3:5 e1:4 d3:2 d2:5 d1:5 d5:2", "a3:3 b3:2"),
            deploy("reinforce:2", "d3:3", recall="d2:2"),
        ),
        (
            after(assault(red="ground_assault", black="ambush mobilise"), ATTACK, Play("ambush", "black")),
            Play("ground_assault", "red", units=2),
        ),
    ],
    "wwii": [
        (
            valley("a1:5 a2:5 b1:5 b2:5 a3:3 c1:1", "c3:4"),
            deploy("reinforce:2", "a3:2", recall="a1:2"),
        ),
        (
            after(
                valley("a1:3 a2:1 b2:4", "c3:4 c2:2", hands={"blue": "ground_assault", "yellow": "blitz"}),
                deploy("advance:c2", "b2:2"),
                Accept(),
            ),
            Play("ground_assault", "blue", units=2),
        ),
        (
            after(
                valley("a1:5 a2:5 b1:5 b2:5 a3:5", "c3:4 c2:2", hands={"blue": "ground_assault"}),
                deploy("advance:c2", "b2:4"),
            ),
            Play("ground_assault", "blue", recall=loads("c2:1", "troop")),
        ),
        (valley("a1:3 a3:2", "c3:4", bonuses={"3": "forward_base"}), deploy("advance:a2", "a1:1")),
        (valley("a1:5 a2:5 b1:5 b2:5 a3:5", "c3:4"), deploy("paradrop:b1", "c1")),
        (
            atoll("a1:3 b1:4 zone-red:1", "d2:4 c2:2 b2:2 zone-green:1 zone-white:1"),
            deploy("advance:b2", "b1:3"),
        ),
        (atoll("a1:3 zone-red:1 zone-white:1"), deploy("bomb:zone-white", "c2", payload=1)),
    ],
}
"""What chance seldom lays out."""


# --- positions and turns ----------------------------------------------------------------


def rich(rng: Random, board: Board) -> Position:
    """Build a crowded or thin board in any round, with tokens, commanders, hands and a deck that may be empty."""
    mode = board.mode
    rows = play.crowded(rng, board)
    for side in rows:
        for row in side:
            for area in board.areas:
                if area.hq is None and rng.random() < 0.25:
                    row[area.index] = 0
    mover = rng.randrange(2)
    if rng.random() < 0.3:
        _thin(board, rows, 1 - mover)
    elif rng.random() < 0.5:
        _guard(board, rows, 1 - mover)
    mine = 1 << rng.choice(board.spaces).index
    left = tuple(rng.choice((0, 1, 2)) for _ in mode.factions)
    standby = (min(mode.standby, 2),) * 2
    pile = [card for card, copies in mode.deck.items() for _ in range(copies)]
    rng.shuffle(pile)
    hands = (tuple(sorted(pile[:6])), tuple(sorted(pile[6:11])))
    passed = (False, False)
    if mode.final_pass and rng.random() < 0.4:
        passed = (mover == 1, mover == 0)
    return Position(
        board=board,
        round=rng.choice((2, mode.rounds)),
        initiative=rng.randrange(2),
        to_move=mover,
        bonuses=tuple(rng.sample(sorted(mode.tokens), len(board.slots))),
        units=tuple(tuple(map(tuple, side)) for side in rows),
        commanders=(mine if rng.random() < 0.3 else 0, 0),
        commanders_left=(left[0] if mover else max(1, left[0]), max(1, left[1]) if mover else left[1]),
        standby=(standby[0], standby[1]),
        hands=hands,
        discard=tuple(pile[11 : rng.choice((12, len(pile)))]),
        passed=passed,
    )


def _thin(board: Board, rows: play.Rows, foe: int) -> None:
    """One side has its headquarters alone, so that the other finds the map open."""
    for row in rows[foe]:
        for area in board.areas:
            if area.index != board.hq[foe]:
                row[area.index] = 0


def _guard(board: Board, rows: play.Rows, foe: int) -> None:
    """Let one side hold what is printed on the map and all the air above."""
    for area in (area for area, _ in board.printed if area not in board.hq):
        for side, n in ((foe, 1), (1 - foe, 0)):
            rows[side][0][area] = n
    for area in members(board.air):
        for side, n in ((foe, 2), (1 - foe, 0)):
            rows[side][1][area] = n


def tried(rng: Random, position: Position) -> Iterator[list[Step]]:
    """Single deployments of every kind, most of them against some rule, and a few whole turns."""
    board, me = position.board, position.to_move
    held = position.hands[me]
    hand = list(dict.fromkeys(held)) if isinstance(held, tuple) else []
    areas = [area.name for area in board.areas]
    spare = [
        (area.name, unit.name, 1)
        for area in board.areas
        for unit in board.mode.units
        if position.units[me][unit.index][area.index]
    ]
    for space in rng.sample(board.spaces, min(5, len(board.spaces))):
        action = space.action
        ways = list(_deployments(rng, position, space.name, (areas, spare)))
        for step in rng.sample(ways, min(4, len(ways))):
            yield [step]
            for name in hand:
                card = board.mode.cards[name]
                if card.action in ("", action.name) and rng.random() < 0.5:
                    yield [play.with_card(rng, step, card)]
                if card.verb == "extra":
                    yield [replace(step, cards=(name,))]
                if card.into_enemy and card.action == action.name:
                    pairs = list(_pairs(position, card.unit))
                    for two in pairs[:4]:
                        yield [replace(step, place=two, cards=(name,))]
    for _ in range(4):
        yield _turn(rng, position)


def _pairs(position: Position, unit: str) -> Iterator[tuple[Load, ...]]:
    """Yield loads that put a unit into each of two waters that the enemy holds."""
    enemy = members(position.survey.control[1 - position.to_move] & position.board.water)
    names = [position.board.areas[area].name for area in enemy]
    yield from (tuple((name, unit, 1) for name in two) for two in combinations(names, 2))


def _deployments(
    rng: Random, position: Position, space: str, pieces: tuple[list[str], list[tuple[str, str, int]]]
) -> Iterator[Deploy]:
    """Deployments to one space: each area alone, and with units recalled from somewhere."""
    areas, spare = pieces
    action = position.board.space(space).action
    recall = tuple(rng.sample(spare, min(1, len(spare)))) if action.recall else ()
    if action.verb == "move":
        for load in spare:
            yield Deploy(space, moves=(load,))
            yield Deploy(space, moves=(load,), recall=recall)
    elif action.verb == "shoot":
        most = max((n for side in position.units for row in side for n in row), default=1)
        payloads = range(1, most + 1) if action.payload else (None,)
        yield from (Deploy(space, target=area, payload=n) for area in areas for n in payloads)
    elif action.verb == "drop":
        for area in areas:
            yield Deploy(space, target=area)
            yield Deploy(space, target=area, recall=recall)
    elif action.verb == "draw":
        yield from (Deploy(space, draw=n) for n in range(5))
    else:
        unit = position.board.mode.units[position.board.mode.kinds_on[action.kind][0]].name
        two = [((a, unit, rng.randint(1, 3)), (b, unit, 1)) for a, b in pairwise(areas)]
        for place in [*(((area, unit, rng.randint(1, 4)),) for area in areas), *two, ()]:
            yield Deploy(space, place=place)
            yield Deploy(space, place=place, recall=recall)


def _turn(rng: Random, position: Position) -> list[Step]:
    """Play a whole random turn; when the table resolves a card, the players may put units beside a token."""
    steps = list[Step]()
    while position.winner is None and not is_over(position) and len(steps) < 12:
        cards = game.owed(position)
        steps.append(play.next_step(rng, position))
        position = game.apply(position, steps[-1])
        announced = isinstance(steps[-1], Play) and cards is not None
        if announced and position.turn is not None and position.board.mode.table_cards and rng.random() < 0.7:
            steps += _put(rng, position)
            position = game.fold(position, steps[-1:]) if isinstance(steps[-1], Agreed) else position
        if position.turn is None:
            break
    return steps


def _put(rng: Random, position: Position) -> list[Step]:
    """Return steps in which the player not to move puts a unit into every area with a token, as a card might."""
    board, foe = position.board, position.board.factions[1 - position.to_move]
    unit, hq = board.mode.units[0].name, [board.areas[area] for area in board.hq]
    free = [board.areas[area] for area in board.slot_areas if board.areas[area] not in hq]
    step = Agreed(areas=tuple((area.name, ((foe, unit, 1),)) for area in free))
    return [step] if game.judge(position, step).legal else []


# --- what is compared -------------------------------------------------------------------


def settled(position: Position) -> tuple[Position, str]:
    """Return a position as people would tell it apart, without a card window, and what led there in words.

    What a card may open is said when it is played.
    """
    here, said = position, ""
    while here.turn is not None and here.turn.stage not in OWED:
        draft = Draft(here)
        close_window(draft)
        here = draft.freeze()
        said += " ".join(event_text(here, event) for event in draft.events)
    turn = here.turn and here.turn._replace(places=0, seizable=0)
    return replace(here, readings=frozenset(), turn=turn), said


def named(ruling: Ruling) -> set[str]:
    return {finding.reading for finding in ruling.findings if finding.reading}


def told_of(words: str) -> set[str]:
    """Return the readings that words name as "(reading: one, another)"."""
    return {name for found in re.findall(r"\(reading: ([^)]*)\)", words) for name in found.split(", ")}


def objections(ruling: Ruling) -> list[str]:
    return [finding.rule for finding in ruling.objections]


def is_named(position: Position, steps: list[Step], reading: str) -> bool:
    """Play steps by both answers: whether they come to differ; then the reading must have been named, for each."""
    sides = [replace(position, readings=frozenset()), replace(position, readings=frozenset({reading}))]
    for step in steps:
        rulings = [game.examine(side, step) for side in sides]
        if objections(rulings[0]) != objections(rulings[1]):
            assert reading in named(rulings[0]) | named(rulings[1]), (reading, step, rulings)
            both = rulings[0].legal == rulings[1].legal
            assert both or all(reading in named(ruling) for ruling in rulings), (reading, step, rulings)
            return True
        if not rulings[0].legal:
            return False
        played = [game.play(side, step) for side in sides]
        ends = [settled(after) for after, _ in played]
        if ends[0][0] != ends[1][0]:
            for ruling, (after, events), (_, then) in zip(rulings, played, ends, strict=True):
                said = " ".join(event_text(after, event) for event in events) + then
                assert reading in named(ruling) or reading in told_of(said), (reading, step, said)
            return True
        sides = [after for after, _ in played]
        stages = [side.turn and side.turn.stage for side in sides]
        if stages[0] != stages[1]:  # a window for cards is open by one answer alone, and closes by itself
            return False
        results = [score(side) for side in sides]
        if results[0] != results[1]:
            assert all(reading in told_of(" ".join(result.why)) for result in results), (reading, results)
            return True
    return False


@pytest.mark.parametrize("book", BY_BOOK)
def test_a_reading_that_decides_is_named(book: str) -> None:
    boards = [BOARDS[name]() for name in BY_BOOK[book]]
    readings = {name for board in boards for name, reading in board.mode.readings.items() if reading.other}
    decided = Counter[str]()
    rng = Random(f"{book} 7")
    for position, step in RARE[book]:
        decided.update(reading for reading in readings if is_named(position, [step], reading))
    for round_of_boards in range(MOST_POSITIONS):
        sought = readings if round_of_boards <= LEAST_POSITIONS else readings - set(decided)
        if not sought:
            break
        for board in boards:
            position = rich(rng, board)
            for steps in tried(rng, position):
                decided.update(reading for reading in sought if is_named(position, steps, reading))
    assert set(decided) == readings, "every reading with another answer was seen to decide something"
