"""The form of a report, and how it is offered on the screen."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from companion.app.app import SavedGames
from companion.evidence import pictures
from companion.evidence.pictures import Name, folder_of
from companion.evidence.recorder import Recorder
from companion.games.match import Match
from companion.scenes.base.stage import Services, Stage
from companion.scenes.home.home import HomeScene
from companion.scenes.review.evidence import EvidenceScene, ExportScene
from companion.ui.screen import Intent, Photo, Text
from companion.view.page.canvas import draw
from engine.orders.wire import step_from_json
from intake import jpeg
from tests.companion.evidence.recording.conftest import played, sight
from tests.companion.gallery.gallery import SIZES
from tests.companion.gallery.sheet_checks import misplaced
from vision.frame import jpeg_of
from vision.reading.crops import AreaCrop, mosaic

TILE = np.full((100, 115, 3), 90, np.uint8)

BACK = HomeScene(Stage(Services(SavedGames())))


def test_a_comment_goes_in_and_comes_out_and_the_picture_stays() -> None:
    data = jpeg_of(np.full((40, 60, 3), 120, np.uint8))
    told = jpeg.with_comment(data, b"first")
    assert jpeg.comment_of(told) == b"first"
    assert jpeg.comment_of(data) is None
    assert jpeg.size_px(told) == jpeg.size_px(data) == (60, 40)
    one, other = (cv2.imdecode(np.frombuffer(each, np.uint8), cv2.IMREAD_COLOR) for each in (data, told))
    assert one is not None
    assert other is not None
    assert np.array_equal(one, other)
    with pytest.raises(ValueError, match="not a JPEG"):
        jpeg.with_comment(b"GIF89a", b"x")
    with pytest.raises(ValueError, match="too long"):
        jpeg.with_comment(data, bytes(70_000))


@pytest.mark.parametrize(
    "data", [b"", b"GIF", b"\xff\xd8", b"\xff\xd8\xff\xc0\x00\x01", b"\xff\xd8\xff\xff\xff\xd0\xff\xda\x00\x02"]
)
def test_what_is_no_whole_jpeg_has_no_size(data: bytes) -> None:
    assert jpeg.size_px(data) is None
    assert jpeg.comment_of(data) is None


def test_the_turns_can_be_leafed_through(match: Match) -> None:
    recorder = Recorder()
    recorder.see(match, sight(match))
    before = sight(match)
    played(match)
    recorder.see(match, before)
    step = {"deploy": "advance:b2", "moves": {"b3": {"troop": 1}}}
    assert match.offer(step_from_json(step)).legal
    recorder.see(match, sight(match, 200))
    recorder.close()
    scene = EvidenceScene(match, BACK)
    text, photo = scene.show().blocks
    assert isinstance(text, Text)
    assert isinstance(photo, Photo)
    assert text.text.startswith("2. Black advances to b2")
    assert [action.label for action in scene.show().actions] == ["Earlier", "Later", "Back"]
    for _ in range(2):
        assert scene.touch(Intent("leaf", "", 1)) is None
    text, photo = scene.show().blocks
    assert isinstance(text, Text)
    assert isinstance(photo, Photo)
    assert text.text.startswith("1. Red advances to c4")
    assert "Different from the game: c4, d5." in photo.caption
    assert len(draw(scene.show(), (800, 480)).sheet.photos) == 1
    assert scene.touch(Intent("back")) is BACK


def test_without_pictures_the_scene_says_so(match: Match) -> None:
    scene = EvidenceScene(match, BACK)
    (text,) = scene.show().blocks
    assert isinstance(text, Text)
    assert "No photos yet" in text.text
    assert [action.label for action in scene.show().actions] == ["Back"]


@pytest.mark.parametrize("size_px", SIZES, ids=str)
def test_the_scenes_fit_every_screen(match: Match, size_px: tuple[int, int]) -> None:
    folder, wide = folder_of(match.path), jpeg_of(mosaic([AreaCrop(f"b{n}", None, TILE, "differs") for n in range(7)]))
    about = {"areas": {f"b{n}": "differs" for n in range(7)}}
    played(match)
    pictures.keep(folder, Name("turn", 0, match.mark(0)), wide, about)
    pictures.keep(folder, Name("turn", 1, match.mark(1)), wide, about)
    scene = EvidenceScene(match, BACK)
    assert len(scene.turns) == 2
    assert misplaced(draw(scene.show(), size_px)) == []
    export = ExportScene(lambda stands, names=False: "Written to " + "/a/long/way/to/a/folder" * 4, BACK)
    export.touch(Intent("export", "yes"))
    assert misplaced(draw(export.show(), size_px)) == []


def test_an_export_is_told_where_it_went() -> None:
    asked = []

    def export(stands: bool, *, names: bool = False) -> str:
        asked.append((stands, names))
        return "Saved to report.zip"

    scene = ExportScene(export, BACK)
    assert scene.touch(Intent("export", "yes")) is None
    assert scene.touch(Intent("export", "no")) is None
    assert asked == [(True, False), (False, False)]
    scene.touch(Intent("flip", "names"))
    assert scene.touch(Intent("export", "yes")) is None
    scene.touch(Intent("flip", "names"))
    assert scene.touch(Intent("export", "yes")) is None
    assert asked[2:] == [(True, True), (True, False)]
    assert Text("Saved to report.zip", "strong") in scene.show().blocks
    assert scene.touch(Intent("back")) is BACK


def test_the_comment_of_a_picture_is_plain_json(match: Match) -> None:
    folder = folder_of(match.path)
    pictures.keep(folder, Name("turn", 3, "0123456789ab"), jpeg_of(np.zeros((8, 8, 3), np.uint8)), {"first": 9})
    told = json.loads(jpeg.comment_of((folder / "turn-0003-0123456789ab.jpg").read_bytes()) or b"")
    assert told == {"kind": "gunbai-turn", "version": 1, "first": 9}
