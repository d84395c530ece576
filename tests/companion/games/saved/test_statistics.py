"""Statistics across saved games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from companion.games.match import AnyMatch, GameSession
from companion.games.orders import RECORDS, orders_throws
from companion.games.saved.statistics import (
    INDEX,
    GameFacts,
    biggest_swing,
    count_actions,
    count_dice,
    finished_games,
    gather,
    group_by_board,
    head_to_head,
    mean_curve,
    turning_rounds,
    wins,
)
from companion.scenes.base.stage import Scene
from companion.scenes.home.statistics import StatisticsScene
from companion.scenes.table.orders_presenter import ORDERS
from companion.ui import screen as scr
from companion.ui.charts import Curve
from companion.ui.screen import Intent
from engine.orders.position import Position
from engine.orders.score import score
from engine.orders.steps import Deploy, Pass, Roll
from engine.orders.wire import step_to_json
from tests.companion.plain_tables import PRESENTERS, REQUESTS, WHOLE, steps_of
from tests.companion.sample_games import BOARD, REQUEST, lines_of, played
from tests.companion.touching import words

STEPS = played()[0]


def save(folder: Path, name: str, players: dict[str, str], steps: int | None = None) -> None:
    objects: list[dict[str, Any]] = [{**REQUEST, "players": players}, *map(step_to_json, STEPS[:steps])]
    (folder / f"{name}.jsonl").write_bytes(lines_of(*objects))


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    save(tmp_path, "a", {"red": "Ana", "black": "Bo"})
    save(tmp_path, "b", {"red": "Bo", "black": "Ana"})
    save(tmp_path, "c", {"red": "Ana", "black": "Bo"})
    save(tmp_path, "d", {}, 20)
    save(tmp_path, "demo-1", {})
    (tmp_path / "broken.jsonl").write_bytes(b"no game\n")
    (tmp_path / "half.jsonl").write_bytes((tmp_path / "a.jsonl").read_bytes()[:-9])
    (tmp_path / "empty.jsonl").mkdir()
    return tmp_path


def test_games_are_counted_and_damaged_ones_left_out(shelf: Path) -> None:
    found = gather(shelf)
    assert [game.name for game in found.games] == ["a", "b", "c", "d"]
    assert found.damaged == ("broken.jsonl", "half.jsonl")
    assert len(finished_games(found.games)) == 3


def test_who_wins_and_against_whom(shelf: Path) -> None:
    games = gather(shelf).games
    assert played()[1][-1].winner_name == "black"
    assert wins(games) == {"Bo": (2, 3), "Ana": (1, 3)}
    assert head_to_head(games) == {("Ana", "Bo"): (1, 2)}


def test_turns_dice_actions_and_the_biggest_swing_are_those_of_the_steps(shelf: Path) -> None:
    games = gather(shelf).games
    game = games[0]
    assert game.turns == sum(isinstance(step, Deploy | Pass) for step in STEPS)
    assert (game.rounds, game.points) == (4, {"red": 4, "black": 6})
    rolls = [step for step in STEPS if isinstance(step, Roll)]
    dice = {side: [die for step in rolls if step.by == side for die in step.dice] for side in ("red", "black")}
    assert game.dice == {side: (len(thrown), sum(thrown)) for side, thrown in dice.items()}
    assert [thrown.by for thrown in orders_throws(played()[1], STEPS)] == [step.by for step in rolls]
    advances = sum(isinstance(step, Deploy) and step.space.startswith("advance") for step in STEPS)
    assert count_actions(games[:1])["advance"] == advances
    assert sum(count_actions(games[:1]).values()) == game.turns
    swing = biggest_swing(games)
    assert swing is not None
    assert swing[1][0] >= 2
    assert count_dice(games)["Ana", ""][0] > 0
    assert ("", "red") in count_dice(games)
    assert biggest_swing(()) is None


@pytest.mark.parametrize(
    ("changed", "fits"),
    [
        ({}, True),
        ({"needs": []}, False),
        ({"sides": ["blue", "yellow"]}, False),
        ({"board": "own", "needs": ["own"], "sides": ["blue", "yellow"]}, True),
        ({"board": "own"}, False),
    ],
)
def test_facts_fit_where_a_game_is_played_on_its_board_by_that_boards_sides(
    changed: dict[str, object], fits: bool
) -> None:
    facts = {"board": BOARD, "needs": [BOARD], "sides": ["red", "black"], **changed}
    assert RECORDS.fits(facts) is fits


BACK = cast(Scene, SimpleNamespace())


def counted(folder: Path, tab: str = "") -> StatisticsScene:
    """Return the scene once all is counted, on this page."""
    scene = StatisticsScene(folder, BACK)
    scene.wait()
    if tab:
        scene.touch(Intent("tab", tab))
    return scene


def columns_of(scene: StatisticsScene) -> scr.Columns:
    return next(block for block in scene.show().blocks if isinstance(block, scr.Columns))


def test_the_pages_show_small_charts(shelf: Path) -> None:
    scene = counted(shelf)
    assert "2 damaged games not counted." in words(scene.show().blocks)
    assert titles(scene) == ["Games won", "Head to head"]
    slips = [block for block in flat(scene.show().blocks) if isinstance(block, scr.Slip)]
    assert [(slip.title, slip.text) for slip in slips] == [
        (f"{winner} beat {loser}", "6 : 4 · Sengoku Jidai: Rivers")
        for winner, loser in (("Bo", "Ana"), ("Bo", "Ana"), ("Ana", "Bo"))
    ]
    scene.touch(Intent("tab", "orders"))
    assert titles(scene) == ["Wins: Sengoku Jidai: Rivers"]
    scene.touch(Intent("tab", "play"))
    assert titles(scene) == ["Average roll (1.00 expected)", "Actions used"]
    scene.touch(Intent("tab", "nonsense"))
    scene.touch(Intent("page", "", 1))
    assert (scene.tab, scene.show().page) == ("play", 1)
    assert scene.tick(1.0) is None
    assert scene.touch(Intent("back")) is BACK


def flat(blocks: tuple[scr.Block, ...]) -> Iterator[scr.Block]:
    for block in blocks:
        yield from flat((*block.left, *block.right)) if isinstance(block, scr.Columns) else (block,)


def titles(scene: StatisticsScene) -> list[str]:
    columns = columns_of(scene)
    return [block.title for block in (*columns.left, *columns.right) if isinstance(block, scr.Bars)]


def test_the_screen_is_there_before_all_is_counted(shelf: Path) -> None:
    scene = StatisticsScene(shelf, BACK)
    assert "Reading saved games" in words(scene.show().blocks)
    seen = []
    for n in range(8):
        scene._counting.wait()
        seen.append(scene.tick(float(n)))
    assert scene in seen
    assert len(titles(scene)) == 2
    assert "Looking at" not in words(scene.show().blocks)


def test_without_games_it_says_so(tmp_path: Path) -> None:
    assert words(counted(tmp_path).show().blocks) == "No games played yet."


def test_names_are_asked_for_only_where_none_were_given(tmp_path: Path) -> None:
    save(tmp_path, "a", {"red": "Ana", "black": "Bo"}, 20)
    assert players_page(tmp_path) == "No finished games with player names yet."
    save(tmp_path, "a", {})
    assert players_page(tmp_path) == "Finish a game with player names to see them here."


def players_page(folder: Path) -> str:
    return words(columns_of(counted(folder)).left)


def test_means_stand_after_what_they_are_means_of(shelf: Path) -> None:
    scene = counted(shelf, "orders")
    turns = finished_games(gather(shelf).games)[0].turns
    assert f"Average turns: {turns} · rounds: 4.0" in words(columns_of(scene).left)


# ---- how games went -----------------------------------------------------------------------------------


def course_of_the_sample() -> tuple[list[tuple[int, int]], int, int]:
    """Return the course of the sample game, worked out from its positions.

    The standing at the start and after each round; the deciding round; turns with a conflict.
    """
    positions = played()[1]

    def points(position: Position) -> tuple[int, int]:
        return score(position).vp["red"], score(position).vp["black"]

    begins = [next(n for n, position in enumerate(positions) if position.round == round_) for round_ in (2, 3, 4)]
    curve = [points(positions[n]) for n in (0, *begins, -1)]
    turns = [n for n, step in enumerate(STEPS) if isinstance(step, Deploy | Pass)]
    leads = [b - r for r, b in (points(positions[n]) for n in (*turns, -1))]
    last_not_ahead = max(n for n, lead in enumerate(leads) if lead <= 0)
    fights = sum(bool(ORDERS.fought(STEPS[n], positions[n])) for n in turns)
    return curve, positions[turns[last_not_ahead]].round, fights


def test_the_course_of_a_game_is_that_of_its_positions(shelf: Path) -> None:
    game = gather(shelf).games[0]
    curve, decided, fights = course_of_the_sample()
    assert list(game.curve) == curve
    assert (game.decided, game.fights) == (decided, fights)
    assert (game.board, game.sides) == ("sengoku-rivers", ("red", "black"))
    assert fights > 0


def test_it_is_kept_and_comes_back_the_same(shelf: Path) -> None:
    first = gather(shelf).games
    assert gather(shelf).games == first
    assert all(isinstance(side, tuple) for game in first for side in game.curve)


def some(name: str, winner: str | None, curve: tuple[tuple[int, int], ...], decided: int = 0) -> GameFacts:
    facts = GameFacts(name, "orders", {}, winner, 4, 10, board=name[0], sides=("red", "black"))
    return replace(facts, curve=curve, decided=decided)


def test_means_are_of_the_games_that_came_so_far() -> None:
    games = (some("a1", "red", ((0, 0), (4, 1), (6, 2))), some("a2", "black", ((0, 2), (2, 3))))
    assert mean_curve(games) == ((0.0, 1.0), (3.0, 2.0), (6.0, 2.0))
    assert mean_curve(()) == ()


def test_turning_points_are_counted_round_by_round() -> None:
    long, short = ((0, 0),) * 5, ((0, 0),) * 3
    both = some("a", "red", long, 2), some("b", "red", short, 2)
    games = (*both, some("c", "black", long, 0), some("d", None, long, 4))
    assert turning_rounds(games) == {1: 0, 2: 2, 3: 0, 4: 0}
    assert turning_rounds(games[2:]) == {}


def test_boards_come_by_how_often_they_were_played() -> None:
    games = (some("a", "red", ()), some("b1", "red", ()), some("b2", "black", ()), some("b3", None, ()))
    assert [(key[0], len(found)) for key, found in group_by_board(games).items()] == [("b", 2), ("a", 1)]


def test_a_page_shows_wins_curve_and_turning_points(shelf: Path) -> None:
    scene = counted(shelf, "orders")
    columns = columns_of(scene)
    assert words(columns.left).startswith("4 games started · 3 finished")
    bars = next(block for block in columns.left if isinstance(block, scr.Bars))
    assert [(bar.label, bar.text, bar.part) for bar in bars.bars] == [("Red", "0 of 3", 0.0), ("Black", "3 of 3", 1.0)]
    curve, odds = columns.right
    assert isinstance(curve, Curve)
    assert [side.values for side in curve.sides] == [
        tuple(float(points[n]) for points in course_of_the_sample()[0]) for n in (0, 1)
    ]
    assert curve.now == (4, 6)
    assert isinstance(odds, scr.Odds)
    assert {share.label: share.value for share in odds.shares}[str(course_of_the_sample()[1])] == "3"


@pytest.mark.parametrize("system", ["sonae", "generals"])
def test_every_system_has_a_page(tmp_path: Path, system: str) -> None:
    match: AnyMatch = GameSession.begin(tmp_path / "a.jsonl", REQUESTS[system])
    positions = [match.position]
    for step in steps_of(system, WHOLE):
        assert match.offer(step).legal
        positions.append(match.position)
    match.close()
    game = gather(tmp_path).games[0]
    presenter = PRESENTERS[system]
    assert game.curve[0] == presenter.standing(positions[0])
    assert game.curve[-1] == presenter.standing(positions[-1])
    assert game.winner in game.sides
    assert 0 < game.decided < len(game.curve)
    assert game.fights > 0
    scene = counted(tmp_path, system)
    assert titles(scene) == ["Wins by side"]
    assert isinstance(columns_of(scene).right[0], Curve)


def test_what_a_strangers_index_holds_is_read_again(shelf: Path) -> None:
    gather(shelf)
    index = shelf / INDEX
    spoiled = index.read_bytes().replace(b'"sides": ["red", "black"]', b'"sides": ["red", "purple"]')
    assert spoiled != index.read_bytes()
    index.write_bytes(spoiled)
    assert {game.sides for game in gather(shelf).games} == {("red", "black")}


def test_games_without_names_or_end_leave_gaps(tmp_path: Path) -> None:
    save(tmp_path, "a", {}, 0)
    scene = counted(tmp_path)
    assert titles(scene) == []
    scene.touch(Intent("tab", "orders"))
    assert titles(scene) == []
    scene.touch(Intent("tab", "play"))
    assert titles(scene) == ["Average roll (1.00 expected)", "Actions used"]
