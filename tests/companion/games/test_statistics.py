"""Statistics across saved games."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from companion.games.statistics import (
    actions_of,
    biggest_swing,
    dice_of,
    finished_games,
    gather,
    head_to_head,
    wins,
    wins_by_faction,
)
from companion.scenes.base.stage import Scene
from companion.scenes.home.statistics import StatisticsScene
from companion.ui import screen as scr
from companion.ui.screen import Intent
from engine.orders.steps import Deploy, Pass, Roll
from engine.orders.wire import step_to_json
from tests.companion.sample_games import REQUEST, lines_of, played
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
    assert [one.name for one in found.games] == ["a", "b", "c", "d"]
    assert found.damaged == ("broken.jsonl", "half.jsonl")
    assert len(finished_games(found.games)) == 3


def test_who_wins_and_against_whom(shelf: Path) -> None:
    games = gather(shelf).games
    assert played()[1][-1].winner_name == "black"
    assert wins(games) == {"Bo": (2, 3), "Ana": (1, 3)}
    assert wins_by_faction(games) == {"black": 3}
    assert head_to_head(games) == {("Ana", "Bo"): (1, 2)}


def test_turns_dice_actions_and_the_biggest_swing_are_those_of_the_steps(shelf: Path) -> None:
    games = gather(shelf).games
    one = games[0]
    assert one.turns == sum(isinstance(step, Deploy | Pass) for step in STEPS)
    assert (one.rounds, one.points) == (4, {"red": 4, "black": 6})
    rolls = [step for step in STEPS if isinstance(step, Roll) and step.by == "red"]
    assert one.dice["red"] == (sum(len(step.dice) for step in rolls), sum(sum(step.dice) for step in rolls))
    advances = sum(isinstance(step, Deploy) and step.space.startswith("advance") for step in STEPS)
    assert actions_of(games[:1])["advance"] == advances
    assert sum(actions_of(games[:1]).values()) == one.turns
    swing = biggest_swing(games)
    assert swing is not None
    assert swing[1][0] >= 2
    assert dice_of(games)["Ana", ""][0] > 0
    assert ("", "red") in dice_of(games)
    assert biggest_swing(()) is None


def scene_of(folder: Path) -> tuple[StatisticsScene, Scene]:
    back = cast(Scene, SimpleNamespace())
    return StatisticsScene(folder, back), back


def test_the_pages_show_small_charts(shelf: Path) -> None:
    scene, back = scene_of(shelf)
    scene.wait()
    assert "2 damaged games not counted." in words(scene.show().blocks)
    assert titles(scene) == ["Games won", "Head to head"]
    scene.touch(Intent("tab", "games"))
    assert titles(scene) == ["Wins by side", "Average points"]
    scene.touch(Intent("tab", "play"))
    assert titles(scene) == ["Average roll (1.00 expected)", "Actions used"]
    scene.touch(Intent("tab", "nonsense"))
    scene.touch(Intent("page", "", 1))
    assert (scene.tab, scene.show().page) == ("play", 1)
    assert scene.tick(1.0) is None
    assert scene.touch(Intent("back")) is back


def titles(scene: StatisticsScene) -> list[str]:
    columns = next(block for block in scene.show().blocks if isinstance(block, scr.Columns))
    return [block.title for block in (*columns.left, *columns.right) if isinstance(block, scr.Bars)]


def test_the_screen_is_there_before_all_is_counted(shelf: Path) -> None:
    scene, _back = scene_of(shelf)
    assert "Reading saved games" in words(scene.show().blocks)
    seen = []
    for n in range(8):
        scene._counting.wait()
        seen.append(scene.tick(float(n)))
    assert scene in seen
    assert len(titles(scene)) == 2
    assert "Looking at" not in words(scene.show().blocks)


def test_without_games_it_says_so(tmp_path: Path) -> None:
    scene, _back = scene_of(tmp_path)
    scene.wait()
    assert words(scene.show().blocks) == "No games played yet."


def test_names_are_asked_for_only_where_none_were_given(tmp_path: Path) -> None:
    save(tmp_path, "a", {"red": "Ana", "black": "Bo"}, 20)
    assert players_page(tmp_path) == "No finished games with player names yet."
    save(tmp_path, "a", {})
    assert players_page(tmp_path) == "Finish a game with player names to see them here."


def players_page(folder: Path) -> str:
    scene, _back = scene_of(folder)
    scene.wait()
    columns = next(block for block in scene.show().blocks if isinstance(block, scr.Columns))
    return words(columns.left)


def test_means_stand_after_what_they_are_means_of(shelf: Path) -> None:
    scene, _back = scene_of(shelf)
    scene.wait()
    scene.touch(Intent("tab", "games"))
    turns = finished_games(gather(shelf).games)[0].turns
    columns = next(block for block in scene.show().blocks if isinstance(block, scr.Columns))
    assert f"Average turns: {turns}\nAverage rounds: 4.0" in words(columns.left)


def test_games_without_names_or_end_leave_gaps(tmp_path: Path) -> None:
    save(tmp_path, "a", {}, 0)
    scene, _back = scene_of(tmp_path)
    scene.wait()
    assert titles(scene) == []
    scene.touch(Intent("tab", "games"))
    assert titles(scene) == []
    scene.touch(Intent("tab", "play"))
    assert titles(scene) == ["Average roll (1.00 expected)", "Actions used"]
