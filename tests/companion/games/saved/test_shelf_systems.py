"""Games of the systems without a board on the shelf: listed, opened, copied, thrown away, counted, begun from home."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from companion.app.app import App, SavedGames
from companion.checks import health
from companion.content.shelves import BATTLES
from companion.core.storage import games_dir
from companion.crash.report import crash_of, report
from companion.evidence import pictures
from companion.games.match import GameSession
from companion.games.saved import shelf
from companion.games.saved.statistics import gather, wins
from companion.games.summary import SYSTEM_RECORDS
from companion.scenes.base.stage import Demonstrate, Table
from companion.scenes.home.home import DemonstrationsScene, GamesScene, HomeScene, setup_of
from companion.scenes.home.saved import SavedGameScene
from companion.scenes.home.statistics import StatisticsScene
from companion.scenes.setup.setup import BoardScene, SetupScene
from companion.settings.layers import Settings
from companion.text.saved_games import against, board_of, state, title
from companion.ui.screen import Choice, Intent, Slip, Text
from engine.sonae.scenario import remove_scenario
from tests.companion.gallery.rooms.shelf import own_battle
from tests.companion.other_games import SYSTEMS, begun, file_of
from tests.companion.sample_games import game_file
from tests.companion.touching import Hand

SIDES = {"sonae": ("maru", "shikaku"), "generals": ("red", "black")}
PEOPLE = ("Ana", "Takeshi")


def put(system: str, name: str = "game", *, over: bool = False, at_s: float = 1e9) -> Path:
    """Put a game between Ana and Takeshi on the shelf."""
    path = games_dir() / f"{name}.jsonl"
    if over:
        file_of(games_dir(), system, over=True, name=name)
    else:
        begun(path, system, dict(zip(SIDES[system], PEOPLE, strict=True))).close()
    os.utime(path, (at_s, at_s))
    return path


def one_of(path: Path) -> shelf.Saved:
    return next(game for game in shelf.saved_games() if game.path == path)


def test_home_judges_the_last_game_once(app: App, games: Path, read: list[str]) -> None:
    path = put("sonae")
    for _ in range(3):
        app.screen()
    assert read == ["game", "game"]  # for the index, and for its picture
    put("sonae", "later", at_s=2e9)
    app.screen()
    assert read[2:] == ["later", "later"]
    game = one_of(path)
    path.unlink()
    assert game.position() is None


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_game_is_listed_with_what_it_is_and_how_far(games: Path, system: str) -> None:
    running, over = one_of(put(system)), one_of(put(system, "over", over=True))
    assert (running.system, running.sides, running.steps) == (system, SIDES[system], 3)
    assert (running.running, over.running, over.winner) == (True, False, SIDES[system][0])
    assert (title(running), against(running)) == ("Ana vs Takeshi",) * 2
    assert state(running) == {"sonae": "turn 1, Ana to act", "generals": "turn 4, Takeshi to act"}[system]
    assert state(over).endswith("has won")
    assert board_of(running).startswith(
        {"sonae": "Sonae: Battle for the Bridge", "generals": "Generals Order: "}[system]
    )
    assert title(over) == {"sonae": "Maru vs Shikaku", "generals": "Red vs Black"}[system]
    assert running.position() is not None


def test_a_battle_that_waits_for_a_token_is_nobody_s_turn(games: Path) -> None:
    begun(games / "game.jsonl", "sonae", steps=2).close()
    [game] = shelf.saved_games()
    assert (game.to_move, state(game)) == ("", "turn 1")
    hand = Hand(App())
    assert "Sonae" in hand.text(), "home says what it is instead"


@pytest.mark.parametrize("system", SYSTEMS)
def test_an_index_of_an_older_form_is_read_anew(games: Path, system: str) -> None:
    put(system)
    first = shelf.saved_games()
    index = json.loads((games / shelf.INDEX).read_bytes())
    for entry in index.values():
        del entry["system"]
        entry["board"] = "stale"
    (games / shelf.INDEX).write_text(json.dumps(index))
    assert [(game.system, game.board) for game in shelf.saved_games()] == [(game.system, game.board) for game in first]
    index = json.loads((games / shelf.INDEX).read_bytes())
    index["game.jsonl"]["sides"] = None
    (games / shelf.INDEX).write_text(json.dumps(index))
    assert shelf.saved_games()[0].sides == SIDES[system]


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_it_is_played_with_may_have_gone(games: Path, system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(system)
    shelf.saved_games()
    monkeypatch.setattr(f"companion.games.{system}.RECORDS", replace(SYSTEM_RECORDS.of(system), names=tuple))
    game = one_of(path)
    assert not game.readable
    hand = Hand(App()).press("Saved games").intent(Intent("game", path.name))
    assert "its board, deck or battle has been removed" in hand.text()
    assert "Continue" not in [button.label for button in hand.all_buttons()]


def test_what_comes_back_makes_it_a_game_again(games: Path) -> None:
    own_battle()
    BATTLES.register()
    path = games / "ford.jsonl"
    GameSession.begin(path, {"system": "sonae", "scenario": "ford"}).close()
    remove_scenario("ford")
    gone = one_of(path)
    assert (gone.readable, "no scenario 'ford'" in gone.fault) == (False, True)
    order = gone.order
    BATTLES.register()
    assert (one_of(path).readable, one_of(path).order) == (True, order)
    remove_scenario("ford")


def test_what_a_game_brings_along_is_not_missed(games: Path) -> None:
    own_battle()
    BATTLES.register()
    match = SavedGames().start({"system": "sonae", "scenario": "ford"})
    match.close()
    remove_scenario("ford")
    game = one_of(match.path)
    assert (game.readable, game.needs) == (True, ())
    hand = Hand(App()).press("Continue last game")
    assert isinstance(hand.app.scene, Table)
    hand.app.scene.match.close()


@pytest.mark.parametrize("system", SYSTEMS)
def test_home_goes_on_with_it(games: Path, system: str) -> None:
    put(system)
    hand = Hand(App())
    assert isinstance(hand.app.scene, HomeScene)
    assert hand.screen.board is not None, "its picture"
    hand.press("Continue last game")
    assert isinstance(hand.app.scene, Table)
    assert hand.app.scene.match.system.name == system
    hand.app.touch(Intent("menu"))
    hand.press("Home")
    assert isinstance(hand.app.scene, HomeScene)


@pytest.mark.parametrize(("system", "section"), [("sonae", "Shock table"), ("generals", "Winning the game")])
def test_homes_rules_are_those_of_the_last_game(games: Path, system: str, section: str) -> None:
    put(system)
    assert Hand(App()).press("Rules").button(section)


@pytest.mark.parametrize("system", SYSTEMS)
def test_it_is_named_copied_saved_as_a_file_and_thrown_away(games: Path, system: str) -> None:
    path = put(system)
    hand = Hand(App()).press("Saved games").intent(Intent("game", path.name))
    assert isinstance(hand.app.scene, SavedGameScene)
    assert hand.screen.board is not None
    hand.press("Make a copy", "Save to a file")
    assert hand.screen.banner == ""
    assert (games.parent / shelf.EXPORTS / path.name).exists()
    shelf.set_label(path, "The long evening")
    assert title(one_of(path)) == "The long evening"
    hand.press("Delete")
    assert [game.path.name for game in shelf.saved_games()] == ["game-2.jsonl"]
    assert [game.system for game in shelf.trash().finish().games] == [system]
    hand.press("Undo")
    assert len(shelf.saved_games()) == 2


@pytest.mark.parametrize("system", SYSTEMS)
def test_it_is_looked_at_when_it_is_over(games: Path, system: str) -> None:
    path = put(system, over=True)
    hand = Hand(App())
    assert shelf.last_running(shelf.saved_games()) is None
    assert hand.screen.board is not None, "home shows the last battle, where no board was played since"
    hand.press("Saved games").intent(Intent("game", path.name)).press("View")
    assert isinstance(hand.app.scene, Table)
    assert hand.app.scene.winner is not None


# ---- a new game -----------------------------------------------------------------------------------


def test_a_newcomer_sees_three_games_and_begins_one_in_a_touch(games: Path) -> None:
    hand = Hand(App())
    assert isinstance(hand.press("New game").app.scene, SetupScene)
    for label in ("Sonae", "Generals Order"):
        hand = Hand(App()).press(label)
        assert type(hand.app.scene).__name__ in ("BattleSetupScene", "DuelSetupScene")
        assert isinstance(hand.press("Back").app.scene, HomeScene)


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_new_game_is_of_the_kind_played_last(games: Path, system: str) -> None:
    game_file(games)
    put(system, "other", over=True, at_s=2e9)
    hand = Hand(App())
    assert hand.button("New game").look == "primary"
    scene = hand.press("New game").app.scene
    assert type(scene) is type(setup_of(system, hand.app.stage, hand.app.home))
    hand = Hand(App()).press("General Orders")
    assert isinstance(hand.app.scene, SetupScene), "the board game is one touch away"


def test_the_list_of_boards_leads_to_the_other_games(games: Path) -> None:
    hand = Hand(App()).press("New game").intent(Intent("boards"))
    assert isinstance(hand.app.scene, BoardScene)
    for system in SYSTEMS:
        scene = hand.app.scene.touch(Intent("system", system))
        assert scene is not None
        assert "setup" in type(scene).__module__
    assert hand.app.scene.touch(Intent("system", "chess")) is None


def test_the_choice_of_the_game_begins_with_the_last(games: Path) -> None:
    put("generals", at_s=2e9)
    app = App()
    scene = GamesScene(app.stage, app.home, app.home)
    slips = [block.title for block in scene.show().blocks if isinstance(block, Slip)]
    assert slips == ["Generals Order", "General Orders", "Sonae"]
    assert isinstance(scene.touch(Intent("system", "orders")), SetupScene)
    assert scene.touch(Intent("back")) is app.home
    assert scene.touch(Intent("system", "chess")) is None


def test_demonstrations_are_asked_for_by_their_game(games: Path) -> None:
    app = App()
    scene = DemonstrationsScene(app.home)
    assert len([block for block in scene.show().blocks if isinstance(block, Slip)]) == 3
    assert scene.touch(Intent("demo", "chess")) is None
    assert scene.touch(Intent("demo", "sonae")) == Demonstrate("sonae")
    assert scene.touch(Intent("back")) is app.home


# ---- around it ------------------------------------------------------------------------------------


def test_statistics_count_them_for_each_system(games: Path) -> None:
    game_file(games)
    for system in SYSTEMS:
        put(system, system)
        put(system, f"{system}-over", over=True)
    (games / "torn.jsonl").write_text("{")
    found = gather(games)
    assert [len(found.of(system)) for system in ("orders", *SYSTEMS)] == [1, 2, 2]
    assert found.damaged == ("torn.jsonl",)
    assert wins(found.games) == {}, "nobody gave a name in the games that are over"
    scene = StatisticsScene(games, App().home)
    scene.wait()
    tabs = ["Players", "General Orders", "Sonae", "Generals Order", "Dice and actions"]
    assert tabs_of(scene) == tabs
    for tab in ("players", "orders", "sonae", "play"):
        scene.touch(Intent("tab", tab))
        assert scene.show().blocks
    scene.touch(Intent("tab", "generals"))
    told = [part.text for block in scene.show().blocks for part in getattr(block, "left", ()) if isinstance(part, Text)]
    assert told[:2] == ["2 games started · 1 finished", "Average turns: 4"]
    (games / "game.jsonl").unlink()
    scene = StatisticsScene(games, App().home)
    scene.wait()
    assert tabs_of(scene) == ["Players", "Sonae", "Generals Order"], "dice are counted for General Orders alone"


def tabs_of(scene: StatisticsScene) -> list[str]:
    choice = next(block for block in scene.show().blocks if isinstance(block, Choice))
    return [button.label for button in choice.buttons]


def test_who_wins_is_counted_over_all_games(games: Path) -> None:
    match = begun(games / "game.jsonl", "sonae", {"maru": "Ana", "shikaku": "Bo"})
    match.offer(match.system.read_step({"agreed": {}, "winner": "shikaku"}))
    match.close()
    assert wins(gather(games).games) == {"Bo": (1, 1), "Ana": (0, 1)}


@pytest.mark.parametrize("system", SYSTEMS)
def test_reports_checks_and_pictures_know_them(games: Path, system: str) -> None:
    path = put(system)
    told = report(crash_of(ValueError("odd"), "HomeScene", path), Settings())
    assert f'"system": "{system}"' in told
    assert "Takeshi" not in told
    assert health.games()[0] == "ok"
    pictures.prune(games, played=[path.name])
    assert path.exists()


def test_a_strangers_names_are_shown_as_far_as_a_line_can(app: App, games: Path) -> None:
    path = put("generals")
    head = path.read_text(encoding="utf-8").splitlines()[0]
    names = {"red": "W" * 5000, "black": "\0A\u202e"}
    changed = {**json.loads(head), "players": names}
    changed.pop("sum", None)
    path.write_text(json.dumps(changed) + "\n", encoding="utf-8")
    assert one_of(path).players == {"red": "W" * 40, "black": "A"}
    assert "W" * 40 in app.screen().blocks[0].text  # type: ignore[union-attr]
