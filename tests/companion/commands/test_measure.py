"""`gunbai measure` on photos of a simulated table, and the eye that the app looks through; every fault in one line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.demo import field_eye
from companion.demo.field_eye import SimulatedField, SimulatedFieldEye
from companion.measuring import live_markers
from companion.measuring.live_markers import CameraFieldEye, CameraPictures
from companion.settings.marking import marked_table, marking_of
from engine.sonae.field import Measure
from engine.sonae.game import new_game
from engine.sonae.position import Position
from engine.sonae.scenario import load_scenario
from tests.companion.commands.terminal import Capture, fault, printed
from vision.bases.markers import corner_places
from vision.geometry import Picture
from vision.simulation.marked.shots import Astray

pytestmark = pytest.mark.long

SCENARIO = "maru-shikaku"


def start() -> Position:
    return new_game(load_scenario(SCENARIO))


def across(position: Position) -> tuple[Astray, ...]:
    """Two corner markers that lie in each other's corners, turned as their black corners want it."""
    places = corner_places(marked_table(position.scenario, marking_of("middle")))
    right, far = places[248].mean(axis=0) - places[246].mean(axis=0)
    return Astray(246, float(right), float(far), 180.0), Astray(248, -float(right), -float(far), 180.0)


class Photos:
    """A table as the game begins, with one unit moved too far, and all corners out of the picture; and the game."""

    def __init__(self, folder: Path) -> None:
        position = start()
        table = SimulatedField(position.scenario, 3)
        self.frame: Picture = table.photo(position)
        self.still = self._save(folder / "still.jpg", self.frame)
        place = position.here("maru-ni-shock").place
        table.put("maru-ni-shock", replace(place, y=place.y - 2.6))
        self.moved = self._save(folder / "moved.jpg", table.photo(position))
        self.middle = self._save(folder / "middle.png", self.frame[200:690, 150:1050])
        table = SimulatedField(position.scenario, 3, astray=across(position))
        self.swapped = self._save(folder / "swapped.jpg", table.photo(position))
        table = SimulatedField(position.scenario, 3, astray=(Astray(248, turned_deg=180.0),))
        self.turned = self._save(folder / "turned.jpg", table.photo(position))
        self.game = str(folder / "battle.jsonl")
        Path(self.game).write_text(json.dumps({"do": "new", "system": "sonae", "scenario": SCENARIO}) + "\n")

    def _save(self, path: Path, picture: Picture) -> str:
        cv2.imwrite(str(path), picture)
        return str(path)


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Photos:
    return Photos(tmp_path_factory.mktemp("photos"))


def test_where_each_base_stands(photos: Photos, capsys: Capture) -> None:
    told = json.loads(printed(capsys, "measure", photos.still, "--json"))
    kinds = load_scenario(SCENARIO).units
    assert set(told["units"]) == set(kinds)
    assert all(abs(unit["x"] - kinds[name].start.x) < 0.1 for name, unit in told["units"].items())
    assert "moved" not in told


def test_in_words_with_the_ruler(photos: Photos, capsys: Capture) -> None:
    told = printed(capsys, "measure", photos.still, "--units", "maru-ni-shock", "maru-ni-melee")
    assert "measured 29 of 29" in told
    assert "0.2 Movements (range: 2)" in told


def test_how_high_bases_are_said_to_be_makes_the_error_smaller(photos: Photos, capsys: Capture) -> None:
    within = []
    for options in ([], ["--base-height", "0.08"]):
        units = json.loads(printed(capsys, "measure", photos.still, "--json", *options))["units"]
        within.append({name: unit["within"] for name, unit in units.items()})
    assert all(within[1][name] < within[0][name] for name in within[0])
    assert max(within[1].values()) < max(within[0].values()) - 0.02


def test_a_corner_marker_that_is_turned_is_named_and_left_out(photos: Photos, capsys: Capture) -> None:
    told = printed(capsys, "measure", photos.turned, "--game", photos.game)
    assert "The “near right” marker is turned 180°. Measured without it." in told
    assert "nothing was moved" in told
    assert json.loads(printed(capsys, "measure", photos.turned, "--json"))["misplaced"]["248"] < 0.1


def test_a_move_against_the_rules_ends_with_one(photos: Photos, capsys: Capture) -> None:
    told = printed(capsys, "measure", photos.moved, "--game", photos.game, status=1)
    assert "maru-ni-shock moved 2.6 Movements: against the rules" in told
    assert "would move 2.6 Movements; the limit is 2 (reading: measure): Movement" in told
    assert (
        main(["measure", photos.moved, "--game", photos.game, "--json", "--units", "maru-ni-shock", "maru-ni-melee"])
        == 1
    )
    out = json.loads(capsys.readouterr().out)
    (move,), ruler = out["moved"], out["ruler"]
    assert (move["unit"], move["legal"]) == ("maru-ni-shock", False)
    assert "move.distance" in {ruling["rule"] for ruling in move["rulings"]}
    assert ruler["distance"] == pytest.approx(1.6, abs=0.1)


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (["nowhere.jpg"], "nowhere.jpg"),
        (["STILL", "--scenario", "sekigahara"], "no scenario 'sekigahara'"),
        (["STILL", "--units", "nobody", "maru-ni-shock"], "--units: 'nobody' isn't a unit in the battle"),
        (["STILL", "--base-height", "1.5"], "--base-height: from 0 to 1 base widths, not 1.5"),
        (["STILL", "--base-height", "nan"], "--base-height: from 0 to 1 base widths, not nan"),
        (["SWAPPED"], "Check that each is in its own corner"),
        (["MIDDLE"], "far left, far right, near right, near left"),
    ],
)
def test_faults_are_one_line(photos: Photos, capsys: Capture, options: list[str], line: str) -> None:
    given = [
        {"STILL": photos.still, "MIDDLE": photos.middle, "SWAPPED": photos.swapped}.get(option, option)
        for option in options
    ]
    assert line in fault(capsys, "measure", *given)


def test_a_game_of_another_system_is_none_of_a_battle(photos: Photos, tmp_path: Path, capsys: Capture) -> None:
    other = tmp_path / "game.jsonl"
    other.write_text('{"do": "new", "board": "sengoku-rivers", "initiative": "red"}\n')
    assert "not a Sonae battle" in fault(capsys, "measure", photos.still, "--game", str(other))


def test_a_unit_that_is_not_seen_has_no_ruler(photos: Photos, tmp_path: Path, capsys: Capture) -> None:
    covered = photos.frame.copy()
    covered[:, :420] = 90
    path = tmp_path / "covered.png"
    cv2.imwrite(str(path), covered)
    told = fault(capsys, "measure", str(path), "--units", "maru-san-melee", "maru-ni-shock")
    assert "maru-san-melee is not seen" in told


# ---- the app's eye -----------------------------------------------------------------------------


def test_the_camera_s_eye_goes_on_when_corners_get_hidden(photos: Photos) -> None:
    frames: list[Picture | None] = [None, photos.frame]
    eye = CameraFieldEye(lambda: frames[-1], lambda: marking_of("middle", 0.08))
    sighting = eye.look(start())
    assert sighting is not None
    assert sighting.in_sync
    covered = photos.frame.copy()
    covered[:, :300] = 90
    frames.append(covered)
    again = eye.look(start())
    assert again is not None
    assert again.missing == (246, 249)
    assert max(again.errors.values()) < 0.05
    assert eye.picture() is not None


def test_without_a_picture_there_is_nothing_to_look_at() -> None:
    eye = CameraFieldEye(lambda: None)
    assert eye.look(start()) is None
    assert eye.fault
    assert eye.picture() is None


def test_hands_at_the_simulated_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(field_eye, "CAMERA", replace(field_eye.CAMERA, size_px=(1000, 750)))
    eye, position = SimulatedFieldEye(5), start()
    eye.put("maru-ni-shock", position.here("maru-ni-shock").place)  # before a look there is no table
    eye.put_right()
    first = eye.look(position)
    assert first is not None
    assert first.in_sync
    place = position.here("maru-ni-shock").place
    eye.put("maru-ni-shock", replace(place, y=place.y - 1.5))
    moved = eye.look(position)
    assert moved is not None
    assert [move.unit for move in moved.moved] == ["maru-ni-shock"]
    eye.put_right()
    back = eye.look(position)
    assert back is not None
    assert back.moved == ()
    assert (eye.fault, eye.picture() is not None) == ("", True)


def test_a_battle_on_a_grid_tells_cells(photos: Photos, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    grid = replace(load_scenario(SCENARIO), grid="square")
    monkeypatch.setattr("engine.sonae.scenario.load_scenario", lambda name: grid)
    told = json.loads(printed(capsys, "measure", photos.still, "--json"))["units"]["maru-ni-shock"]
    assert told["cell"] == list(Measure("square").cell((10.2, 15.4)))


class Lens:
    """A camera that needs a moment for its first picture."""

    def __init__(self, frames: list[Picture | None]) -> None:
        self.frames, self.closed = frames, False

    def latest(self) -> Picture | None:
        return self.frames.pop(0) if self.frames else None

    def close(self) -> None:
        self.closed = True


def test_a_camera_that_nobody_watches_is_opened_for_one_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_markers, "PAUSE_S", 0.001)
    monkeypatch.setattr(live_markers, "PATIENCE_S", 0.01)
    frame: Picture = np.zeros((4, 4, 3), np.uint8)
    lens, blind = Lens([None, frame]), Lens([])
    opened = CameraPictures(lambda: None, lambda: "0", lambda name: lens)
    assert np.array_equal(np.asarray(opened()), frame)
    assert lens.closed
    assert CameraPictures(lambda: None, lambda: "0", lambda name: blind)() is None
    assert blind.closed
    watched = Lens([frame])
    assert CameraPictures(lambda: watched, lambda: "0", lambda name: blind)() is frame
    assert not watched.closed
    assert CameraPictures(lambda: None, lambda: None, lambda name: blind)() is None
