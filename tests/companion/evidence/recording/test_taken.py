"""Which pictures of a game are taken, and that they are true to its journal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.evidence import pictures
from companion.evidence.pictures import Name, folder_of, kept_pictures
from companion.evidence.recorder import Recorder, changed_areas, units_of
from companion.games.match import Match
from companion.perception.adapters import plan_of
from intake import jpeg
from tests.companion.evidence.recording.table import PASS, board_image, names, played, sight
from tests.companion.sample_games import BOARD, BONUSES
from vision.frame import jpeg_of
from vision.geometry import Grid
from vision.reading.crops import Cropper


def brightness(data: bytes) -> list[int]:
    """Return the greys that fill much of a picture."""
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert picture is not None
    found, counts = np.unique(picture, return_counts=True)
    return [int(level) for level, n in zip(found, counts, strict=True) if n > 800 and level > 60]


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
