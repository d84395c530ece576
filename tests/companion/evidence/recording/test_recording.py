"""Which pictures of a game are taken, that they are true to its journal, never in its way, and how they are shown."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from unittest import mock

import cv2
import numpy as np
import pytest

from companion.app.app import SavedGames
from companion.core import storage
from companion.evidence import pictures
from companion.evidence.pictures import Name, folder_of, kept_pictures, prune
from companion.evidence.recorder import WAITING, Recorder, Writer, changed_areas, units_of
from companion.games.match import Match
from companion.perception.adapters import plan_of
from companion.scenes.base.stage import Services, Stage
from companion.scenes.home.home import HomeScene
from companion.scenes.review.evidence import EvidenceScene, ExportScene
from companion.ui.screen import Intent, Photo, Text
from companion.view.page.canvas import lay_out
from engine.orders.wire import step_from_json
from intake import jpeg
from tests.companion.evidence.recording.conftest import PASS, board_image, brightness, names, played, sight
from tests.companion.gallery.gallery import SIZES
from tests.companion.gallery.sheet_checks import misplaced
from tests.companion.refusing import refusing
from tests.companion.sample_games import BOARD, BONUSES
from vision.frame import jpeg_of
from vision.geometry import Grid
from vision.reading.crops import AreaCrop, Cropper, mosaic


def test_a_turn_leaves_a_picture_of_its_areas_before_and_after(match: Match) -> None:
    recorder = Recorder()
    recorder.see(match, sight(match, 100))
    played(match)
    recorder.see(match, sight(match, 200))
    recorder.close()
    (picture,) = kept_pictures(match)
    assert picture.areas == {"c4": "agrees", "d5": "agrees"}
    assert (picture.first, picture.name.step, picture.name.mark) == (1, 1, match.mark(1))
    levels = brightness(picture.data)
    assert any(abs(level - 100) < 4 for level in levels), "before"
    assert any(abs(level - 200) < 4 for level in levels), "after"
    assert len(picture.data) < 40_000
    assert recorder.fault is None


def test_nothing_is_taken_where_nothing_changed(match: Match) -> None:
    recorder = Recorder()
    recorder.see(match, sight(match))
    recorder.see(match, sight(match, 120))
    recorder.see(match, replace(sight(match), board_image=None))
    recorder.close()
    assert not folder_of(match.path).exists()


def test_it_waits_until_the_pieces_lie_as_the_game_says(match: Match) -> None:
    recorder = Recorder()
    before = sight(match)
    recorder.see(match, before)
    played(match)
    recorder.see(match, before)
    recorder.wait()
    assert names(match) == [], "the pieces have not been moved yet"
    recorder.see(match, sight(match, 200))
    recorder.wait()
    assert [picture.areas for picture in kept_pictures(match)] == [{"c4": "agrees", "d5": "agrees"}]


def test_what_never_agreed_is_kept_as_it_looked_when_the_game_went_on(match: Match) -> None:
    recorder = Recorder()
    before = sight(match)
    recorder.see(match, before)
    played(match)
    recorder.see(match, before)
    match.offer(PASS)
    recorder.see(match, sight(match, 200))
    recorder.wait()
    (picture,) = kept_pictures(match)
    assert (picture.name.step, picture.areas) == (1, {"c4": "differs", "d5": "differs"})
    recorder.close()


def test_closing_keeps_what_was_still_waited_for(match: Match) -> None:
    recorder = Recorder()
    before = sight(match)
    recorder.see(match, before)
    played(match)
    recorder.see(match, before)
    recorder.close()
    assert [picture.areas for picture in kept_pictures(match)] == [{"c4": "differs", "d5": "differs"}]


def test_a_covered_area_is_never_taken(match: Match) -> None:
    recorder = Recorder()
    recorder.see(match, sight(match))
    played(match)
    recorder.see(match, sight(match, 200, hidden=("c4",)))
    match.offer(PASS)
    recorder.see(match, sight(match, 220, hidden=("c4",)))
    recorder.close()
    assert [picture.areas for picture in kept_pictures(match)] == [{"d5": "agrees"}], "no hand, and nothing in it"


def test_a_crop_shows_nothing_from_beyond_the_board(match: Match) -> None:
    cropper, grid = Cropper(plan_of(match.board)), Grid(match.board.size_mm)
    image = board_image(match, 10)
    margin = round(grid.margin_mm * grid.px_per_mm)
    image[:margin], image[-margin:], image[:, :margin], image[:, -margin:] = 255, 255, 255, 255
    for area in match.board.areas:
        assert cropper.crop(image, area.name).max() < 60, area.name
    with pytest.raises(ValueError, match="a board image of"):
        cropper.crop(image[1:], "c4")


def test_steps_between_looks_share_a_picture(match: Match) -> None:
    recorder = Recorder()
    recorder.see(match, sight(match))
    played(match)
    match.offer(PASS)
    assert changed_areas(match, 0) == ["c4", "d5"]
    recorder.see(match, sight(match, 200))
    recorder.close()
    assert [(picture.first, picture.name.step) for picture in kept_pictures(match)] == [(1, 2)]


def test_a_step_taken_back_takes_its_picture_along(match: Match) -> None:
    recorder = Recorder()
    recorder.see(match, sight(match))
    played(match)
    recorder.see(match, sight(match, 200), jpeg_of(np.zeros((48, 64, 3), np.uint8)))
    recorder.wait()
    assert len(names(match)) == 1, "the whole frame waits in memory"
    match.undo()
    assert kept_pictures(match) == (), "before anything was removed"
    match.offer(PASS)
    assert kept_pictures(match) == (), "another first step is touch to change"
    recorder.see(match, sight(match, 150))
    recorder.wait()
    assert names(match) == []
    match.undo()
    played(match)
    recorder.see(match, sight(match, 200))
    recorder.close()
    assert len(kept_pictures(match)) == 1
    assert kept_pictures(match, "frame") == (), "the frame went with its step"


def test_a_disk_that_cannot_be_listed_after_an_undo_stops_nobody(match: Match) -> None:
    recorder = Recorder()
    recorder.see(match, sight(match))
    played(match)
    recorder.see(match, sight(match, 200))
    match.undo()
    with mock.patch.object(pictures, "stale", side_effect=OSError(5, "Input/output error")):
        recorder.see(match, sight(match))
        recorder.wait()
    assert recorder.fault is not None
    assert "Input/output error" in recorder.fault
    recorder.close()


def test_pictures_are_found_again_when_the_game_is_opened(match: Match) -> None:
    recorder = Recorder()
    recorder.see(match, sight(match))
    played(match)
    recorder.see(match, sight(match, 200))
    recorder.close()
    match.close()
    assert len(kept_pictures(Match.open(match.path))) == 1


def test_another_game_starts_anew(match: Match, tmp_path: Path) -> None:
    recorder = Recorder()
    recorder.see(match, sight(match))
    other = Match.start(tmp_path / "other.jsonl", BOARD, "black", BONUSES)
    recorder.see(other, sight(other))
    recorder.close()
    assert names(match) == names(other) == []


def test_a_broken_picture_is_passed_over(match: Match) -> None:
    folder = folder_of(match.path)
    pictures.keep(folder, Name("turn", 0, match.mark(0)), jpeg_of(np.zeros((8, 8, 3), np.uint8)), {"areas": {}})
    whole = (folder / Name("turn", 0, match.mark(0)).text).read_bytes()
    assert len(kept_pictures(match)) == 1
    for broken in (b"", whole[:30], jpeg.with_comment(whole, b"[]"), jpeg.with_comment(whole, b"{"), b"\xff\xd8\xff"):
        (folder / Name("turn", 0, match.mark(0)).text).write_bytes(broken)
        assert kept_pictures(match) == ()


def test_the_last_few_whole_frames_are_kept_with_what_was_read_in_them(match: Match) -> None:
    recorder, frame = Recorder(), np.full((48, 64, 3), 90, np.uint8)
    recorder.see(match, sight(match), frame)
    for n in range(pictures.MOST_FRAMES + 2):
        if n == 0:
            played(match)
        else:
            match.offer(PASS)
        recorder.see(match, sight(match, 200), b"not a JPEG" if n == 1 else frame)
        recorder.wait()
    assert kept_pictures(match, "frame") == (), "frames wait until the game is left, or a report wants them"
    assert recorder.latest(match) is not None
    frames = kept_pictures(match, "frame")
    recorder.close()
    assert kept_pictures(match, "frame")[0].path == frames[0].path
    assert len(frames) == pictures.MOST_FRAMES
    assert frames[0].name.step == pictures.MOST_FRAMES + 2
    assert frames[0].about["units"] == units_of(match.position)
    assert frames[0].about["reading"]["unreadable"] == []
    assert pictures.stale(match) == ()


def test_a_full_disk_costs_the_picture_and_not_the_game(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder()
    recorder.see(match, sight(match))
    played(match)
    with monkeypatch.context() as patch:
        patch.setattr(storage, "atomic_write", refusing())
        recorder.see(match, sight(match, 200))
        recorder.wait()
    assert "No space left" in str(recorder.fault)
    assert len(match.steps) == 1
    match.offer(PASS)
    match.undo()
    match.undo()
    played(match)
    recorder.see(match, sight(match, 210))
    recorder.close()


def test_a_disk_that_stands_still_makes_nobody_wait() -> None:
    import threading

    stuck, writer, done = threading.Event(), Writer(), []
    writer.put(lambda: (stuck.wait(), None)[1])
    for n in range(WAITING + 3):
        writer.put(lambda n=n: done.append(n))  # type: ignore[misc]
    assert "was not kept" in str(writer.fault)
    stuck.set()
    writer.wait()
    assert done[0] == 0
    assert len(done) >= WAITING - 1
    writer.close()


def test_a_power_cut_leaves_no_half_picture(match: Match) -> None:
    folder = folder_of(match.path)
    pictures.keep(folder, Name("turn", 0, match.mark(0)), jpeg_of(np.zeros((8, 8, 3), np.uint8)), {})
    (folder / "turn-0001-aaaaaaaaaaaa.jpg.new-77").write_bytes(b"\xff\xd8half")
    assert len(kept_pictures(match)) == 1
    prune(match.path.parent)
    assert names(match) == [Name("turn", 0, match.mark(0)).text]


def test_pictures_go_with_their_game_and_the_oldest_first(match: Match, tmp_path: Path) -> None:
    picture, own = jpeg_of(np.zeros((8, 8, 3), np.uint8)), folder_of(match.path)
    gone = folder_of(tmp_path / "gone.jsonl")
    for folder, step in ((own, 1), (own, 2), (gone, 1)):
        pictures.keep(folder, Name("turn", step, f"{step:012}"), picture, {})
    prune(tmp_path)
    assert not gone.exists()
    assert len(names(match)) == 2
    old = own / Name("turn", 1, f"{1:012}").text
    os.utime(old, (1, 1))
    prune(tmp_path, most_bytes=int(1.5 * old.stat().st_size))
    assert names(match) == [Name("turn", 2, f"{2:012}").text]
    (own / "letter.txt").write_text("not ours")
    match.close()
    match.path.unlink()
    prune(tmp_path)
    assert names(match) == ["letter.txt"]


def test_pictures_of_the_game_played_last_stay_whatever_the_clock_says(match: Match, tmp_path: Path) -> None:
    picture = jpeg_of(np.zeros((8, 8, 3), np.uint8))
    other = Match.start(tmp_path / "other.jsonl", BOARD, "black", BONUSES)
    for game in (match, other):
        pictures.keep(folder_of(game.path), Name("turn", 1, f"{1:012}"), picture, {})
    os.utime(folder_of(other.path), (1, 1))  # it was played last, by a clock that was set back
    size = (folder_of(match.path) / Name("turn", 1, f"{1:012}").text).stat().st_size
    prune(tmp_path, most_bytes=int(1.5 * size), played=[other.path.name, match.path.name])
    assert (len(names(other)), len(names(match))) == (1, 0)


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
    assert len(lay_out(scene.show(), (800, 480)).sheet.photos) == 1
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
    assert misplaced(lay_out(scene.show(), size_px)) == []
    export = ExportScene(lambda stands, names=False: "Written to " + "/a/long/way/to/a/folder" * 4, BACK)
    export.touch(Intent("export", "yes"))
    assert misplaced(lay_out(export.show(), size_px)) == []


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
