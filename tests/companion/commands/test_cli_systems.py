"""The commands on games of the systems without a board: check, replay, score, bundle, play, and whole demo games."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from companion.app.app import App, SavedGames
from companion.bootstrap import play
from companion.cli import main
from companion.core import storage
from companion.core.errors import MatchError, UsageError
from companion.demo import by_itself
from companion.games.journal import read_game
from companion.scenes.base.ports import Demonstration
from companion.scenes.base.stage import Services, Stage, Table
from companion.scenes.home.home import DemonstrationsScene
from companion.ui.screen import Intent
from companion.view.window import display, window
from engine.orders.board import load_board
from engine.systems import system_named
from tests.companion.commands.terminal import Capture, fault, printed, written
from tests.companion.other_games import BEGIN, STEPS, SYSTEMS, begun, demo_of, file_of, start_of

pytestmark = pytest.mark.long

ILLEGAL = {"sonae": {"done": True}, "generals": {"move": "nobody", "to": "siege"}}


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))


# ---- check ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("system", SYSTEMS)
def test_steps_are_judged_on_a_game_or_a_position(tmp_path: Path, system: str, capsys: Capture) -> None:
    start = written(tmp_path / "start.json", system_named(system).write_position(start_of(system)))
    step = STEPS[system][0]
    assert ": legal\n" in printed(capsys, "check", start, json.dumps(step))
    out = printed(capsys, "check", start, json.dumps([step, ILLEGAL[system]]), status=1)
    assert "step 2: " in out
    assert ": illegal, " in out
    ruling = json.loads(
        printed(capsys, "check", str(file_of(tmp_path, system)), json.dumps(ILLEGAL[system]), "--json", status=1)
    )
    assert ruling["legal"] is False
    assert ruling["rulings"][0]["cite"]


@pytest.mark.parametrize("system", SYSTEMS)
def test_steps_from_a_file_of_the_same_game(tmp_path: Path, system: str, capsys: Capture) -> None:
    start = written(tmp_path / "start.json", system_named(system).write_position(start_of(system)))
    assert len(printed(capsys, "check", start, str(file_of(tmp_path, system)), "--json").splitlines()) == len(
        STEPS[system]
    )


@pytest.mark.parametrize("system", SYSTEMS)
def test_bad_input_is_one_line(tmp_path: Path, system: str, capsys: Capture) -> None:
    game = str(file_of(tmp_path, system))
    assert f"steps of {system} must be JSON" in fault(capsys, "check", game, "advance:c4 from d5=2t")
    assert "a step has one of the keys" in fault(capsys, "check", game, '{"pass": true}')
    spoiled = written(tmp_path / "p.json", {"system": system, "turn": []})
    assert "not a position: " in fault(capsys, "check", spoiled, json.dumps(STEPS[system][0]))
    named = written(tmp_path / "q.json", {"system": "chess"})
    assert fault(capsys, "score", named).endswith("not a position: system: expected one of orders, sonae, generals")


# ---- replay and score -------------------------------------------------------------------------------


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_game_is_gone_through_step_by_step(tmp_path: Path, system: str, capsys: Capture) -> None:
    game = str(file_of(tmp_path, system, over=True))
    lines = printed(capsys, "replay", game).splitlines()
    assert lines[1].startswith("   1  turn 1")
    assert lines[-1].endswith(" wins: agreed by the players")
    assert json.loads(printed(capsys, "replay", game, "--json"))["system"] == system


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_step_against_the_rules_ends_it(tmp_path: Path, system: str, capsys: Capture) -> None:
    game = written(tmp_path / "g.jsonl", {"do": "new", **BEGIN[system]}, ILLEGAL[system])
    assert main(["replay", game]) == 1
    out, err = capsys.readouterr()
    assert "against the rules" in err
    assert "✗" in out


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_score_tells_how_both_sides_stand(tmp_path: Path, system: str, capsys: Capture) -> None:
    out = printed(capsys, "score", str(file_of(tmp_path, system)))
    assert out.splitlines()[0].split()[0] == "side"
    assert "the game goes on" in out
    over = file_of(tmp_path, system, over=True, name="over")
    told = json.loads(printed(capsys, "score", str(over), "--json"))
    assert (told["system"], bool(told["winner"]), len(told["sides"])) == (system, True, 2)


# ---- what only a board can have ----------------------------------------------------------------------


@pytest.mark.parametrize("system", SYSTEMS)
def test_pictures_of_a_board_have_no_place_in_other_games(tmp_path: Path, system: str, capsys: Capture) -> None:
    game = str(file_of(tmp_path, system))
    told = f"{game}: a game of {system}, not of General Orders"
    assert fault(capsys, "bundle", game, "-o", str(tmp_path / "b.zip")) == told
    assert not (tmp_path / "b.zip").exists()
    shots = str(tmp_path / "shot.jpg")
    assert "no.table" in fault(capsys, "score", "--table", str(tmp_path / "no.table"), shots, "--game", game)


@pytest.mark.parametrize("system", SYSTEMS)
def test_any_game_is_opened_by_its_file(tmp_path: Path, system: str) -> None:
    shown: list[App] = []

    def show(app: App, _size_px: object) -> int:
        shown.append(app)
        return 0

    game = str(file_of(tmp_path, system))
    options = argparse.Namespace(demo=False, size="800x480", game=game, table=None, camera=None)
    assert play(options, show) == 0
    assert isinstance(shown[0].scene, Table)
    assert shown[0].scene.match.system.name == system


# ---- demonstrations ----------------------------------------------------------------------------------


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_demo_plays_is_told_and_can_be_replayed(tmp_path: Path, system: str, capsys: Capture) -> None:
    pictures = tmp_path / "shots"
    argv = ["demo", "--headless", "--system", system, "--seed", "3", "--turns", "2", "--pictures", str(pictures)]
    out = printed(capsys, *argv)
    assert "Seed 3." in out
    assert "turn  1" in out
    assert f"gunbai score {pictures / 'game.jsonl'}" in out
    assert {"start-screen.png", "final-screen.png"} <= {path.name for path in pictures.iterdir()}
    journal = read_game(pictures / "game.jsonl")
    assert (journal.system.name, journal.fault, journal.last.turn > 2) == (system, None, True)
    assert main(argv) == 0, "the game before it is replaced"
    assert capsys.readouterr().out == out, "the same seed plays the same game"


def test_a_practice_set_is_of_a_board(tmp_path: Path, capsys: Capture) -> None:
    told = fault(capsys, "demo", "--system", "sonae", "--practice", str(tmp_path / "set"))
    assert told == "--practice photographs a board, and --system sonae has none"
    assert not (tmp_path / "set").exists()


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_whole_demo_game_ends(tmp_path: Path, system: str) -> None:
    match = by_itself.new_match(tmp_path / "game.jsonl", demo_of(system).request(5, ""))
    player = demo_of(system).player(5)
    while player.act(match):
        pass
    assert match.position.winner_name is not None
    match.close()


def test_a_demo_of_a_battle_may_name_it(capsys: Capture) -> None:
    assert demo_of("sonae").request(1, "elsewhere")["scenario"] == "elsewhere"
    with pytest.raises(UsageError, match="without one"):
        demo_of("generals").request(1, "sengoku-rivers")
    assert "no scenario 'elsewhere'" in fault(capsys, "demo", "--system", "sonae", "--board", "elsewhere", "--headless")


def test_a_player_that_breaks_the_rules_is_named(tmp_path: Path) -> None:
    match = begun(tmp_path / "game.jsonl", "generals", steps=0)

    class Cheat:
        def step(self, _position: object) -> object:
            return match.system.read_step(ILLEGAL["generals"])

    player = by_itself.SelfPlayer("generals", Cheat())
    with pytest.raises(MatchError, match="is refused"):
        player.act(match)
    match.close()


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_app_watches_one_and_a_touch_takes_over(system: str) -> None:
    def demonstration(wanted: str) -> Demonstration:
        return demo_of(wanted).demonstration(2, load_board("sengoku-rivers"))

    app = App(Stage(Services(SavedGames(), demonstration=demonstration)))
    app.scene = DemonstrationsScene(app.home)
    app.touch(Intent("demo", system))
    assert isinstance(app.scene, Table)
    assert app.stage.can_play
    app.tick(0.0)
    app.tick(by_itself.SelfPlayer.pause_s + 0.1)
    assert len(app.scene.match.steps) == 1
    assert app.scene.match.path.name.startswith("demo-")
    app.scene.match.close()


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_player_of_one_game_is_not_offered_for_another(tmp_path: Path, system: str) -> None:
    file_of(storage.games_dir(), "generals" if system == "sonae" else "sonae")
    app = App(autoplay=demo_of(system).player(1))
    app.touch(Intent("resume"))
    assert isinstance(app.scene, Table)
    assert not app.stage.can_play
    app.scene.match.close()


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_demo_is_watched_in_a_window(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str, capsys: Capture
) -> None:
    def look(app: App, size_px: tuple[int, int]) -> int:
        assert size_px == (720, 1280)
        app.tick(0.0)
        app.tick(9.0)
        assert app.screen().board is not None
        return 0

    monkeypatch.setattr(display, "has_screen", lambda: True)
    monkeypatch.setattr(window, "run_window", look)
    assert "the game goes on" in printed(capsys, "demo", "--system", system, "--seed", "2", "--size", "720x1280")
    assert len(read_game(tmp_path / "games" / "demo-2.jsonl").steps) == 1
