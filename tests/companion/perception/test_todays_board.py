"""Today's board: taken by the way as a game begins, kept beside table and game, renewed with the light."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.core import storage
from companion.games.match import Match
from companion.perception import todays_board
from companion.perception.adapters import plan_of
from companion.perception.cameras import CameraSession, Setup, Watching
from companion.perception.sync.status import State, TableView
from companion.perception.todays_board import MOST_KEPT, TodaysBoard, game_board_path, prune
from engine.orders.board import load_board
from engine.orders.position import Position
from tests.companion.perception.seeing import reading_of
from tests.companion.sample_games import BOARD, game_file
from tests.tables import rivers
from tests.vision.tables import pictures
from vision.frame import jpeg_of
from vision.reading.count import CountBelief
from vision.reading.read import Reading, read
from vision.registration.register import Registration
from vision.table import Table, load_today, mark_of_table, today_path

FOUND = Registration(np.eye(3), 0.9, 0.9, 0.1, 100, still=True)
CORNERS = ((100.0, 60.0), (520.0, 60.0), (520.0, 430.0), (100.0, 430.0))
NOTHING = CountBelief((((), 0.99),))
STILL_S = 1.5


def seen_empty() -> Reading:
    areas = [area.name for area in load_board(BOARD).areas]
    counts = dict.fromkeys(areas, NOTHING)
    return Reading({}, {}, dict.fromkeys(areas, 0.99), (), 1.0, counts=counts, registration=FOUND)


def seen(position: Position, light: float = 0.0) -> Reading:
    return replace(reading_of(position), registration=FOUND, light=light)


class Watch(Watching):
    """A camera that sees what a test lays before it."""

    def __init__(self, table: Table) -> None:
        self.table: Table | None = table
        self.reading: Reading | None = None
        self.state: State = "settled"

    def look(self) -> TableView:
        return TableView(self.state, self.reading, frame=b"a frame")

    def glimpse(self, _match: Match) -> TableView:
        return self.look()

    def close(self) -> None:
        """Do nothing."""


class Taking:
    """Stands for the making of tables: what was asked for is kept."""

    def __init__(self) -> None:
        self.asked: list[tuple[bool, bool, str, frozenset[str]]] = []

    def __call__(
        self, table: Table, _sight: object, mark: str, what: tuple[bool, bool, todays_board.Stage], but: Collection[str]
    ) -> object:
        ground, start, stage = what
        self.asked.append((ground, start, stage, frozenset(but)))
        today = replace(table, of=mark, start_bgr=table.reference_bgr if start else table.start_bgr)
        return todays_board._Taken(today, stage, today.to_bytes())


class Evening:
    """A table that is watched, and its board today."""

    def __init__(self, folder: Path) -> None:
        noise = np.random.default_rng(1).integers(0, 255, (480, 640, 3), np.uint8)
        self.path = folder / "kitchen.table"
        Table(plan_of(load_board(BOARD)), noise, CORNERS).save(self.path)
        self.now_s = 0.0
        self.sit_down()

    def sit_down(self) -> None:
        """Start the app."""
        self.watch = Watch(Table.load(self.path))
        self.session = CameraSession(lambda setup: self.watch, Setup(self.path, "camera"))
        self.today = TodaysBoard(self.session)

    @property
    def kept(self) -> Table | None:
        return load_today(today_path(self.path), Table.load(self.path), mark_of_table(self.path))

    def waits(self, reading: Reading, match: Match | None = None, told: Reading | None = None) -> list[bool]:
        """Let a reading settle and stay; whether each look changed anything."""
        self.watch.reading = reading
        changed = []
        for _look in range(4):
            self.now_s += STILL_S
            if match is None:
                changed.append(self.today.see_empty(self.now_s))
            else:
                changed.append(self.today.see(match, self.watch.look(), told or reading, self.now_s))
            self.today.wait()
        return changed


@pytest.fixture
def taking(monkeypatch: pytest.MonkeyPatch) -> Taking:
    taken = Taking()
    monkeypatch.setattr(todays_board, "_take", taken)
    return taken


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    return Evening(tmp_path)


@pytest.fixture
def match(tmp_path: Path) -> Match:
    return Match.open(game_file(tmp_path, steps=0))


def test_a_game_begins_on_todays_board(evening: Evening, match: Match, taking: Taking) -> None:
    evening.today.await_board()
    assert any(evening.waits(seen_empty()))
    assert (evening.today.stage, taking.asked) == ("empty", [(True, False, "empty", frozenset())])
    assert evening.kept is not None
    evening.waits(seen_empty(), match)
    assert game_board_path(match.path).exists()
    assert any(evening.waits(seen(match.position), match))
    assert (evening.today.stage, taking.asked[1:]) == ("start", [(False, True, "start", frozenset())])
    assert evening.kept is not None
    assert evening.kept.start_bgr is not None
    assert game_board_path(match.path).read_bytes() == today_path(evening.path).read_bytes()
    assert evening.watch.table is not None
    assert evening.watch.table.of == mark_of_table(evening.path)
    evening.waits(seen(match.position), match)
    assert len(taking.asked) == 2


def test_a_board_that_is_laid_at_once_is_taken_with_its_start(evening: Evening, match: Match, taking: Taking) -> None:
    evening.today.await_board()
    evening.waits(seen(match.position), match)
    assert taking.asked == [(True, True, "start", frozenset())]


def test_what_is_unlike_the_printed_start_is_not_learnt(evening: Evening, match: Match, taking: Taking) -> None:
    evening.today.await_board()
    area = next(area.name for area in match.board.areas if match.position.units_in(area.name))
    one_less = replace(seen(match.position), counts={**seen(match.position).counts, area: NOTHING})
    evening.waits(one_less, match)
    evening.waits(replace(seen(match.position), unreadable=(area,)), match)
    assert taking.asked == []
    evening.waits(one_less, match, told=seen(match.position))
    assert taking.asked == [(True, True, "start", frozenset())], "people have said that it stands there"


@pytest.mark.parametrize("state", ["moving", "hand", "lost"])
def test_nothing_is_taken_while_something_moves(evening: Evening, taking: Taking, state: State) -> None:
    evening.today.await_board()
    evening.watch.state = state
    evening.waits(seen_empty())
    assert (evening.today.stage, taking.asked) == ("awaited", [])


def test_a_board_that_is_seen_for_an_instant_is_not_taken(evening: Evening, taking: Taking) -> None:
    evening.today.await_board()
    for _look in range(5):
        evening.watch.reading = seen_empty()
        evening.now_s += STILL_S
        evening.today.see_empty(evening.now_s)
    assert taking.asked == []


def test_another_light_is_taken_once_the_board_is_as_recorded(evening: Evening, match: Match, taking: Taking) -> None:
    evening.waits(seen(match.position), match)
    assert taking.asked == []
    by_lamp = seen(match.position, light=0.3)
    evening.waits(by_lamp, match, told=seen_empty())
    assert taking.asked == [], "the board isn't as recorded"
    evening.waits(by_lamp, match)
    assert [ground for ground, *_ in taking.asked] == [True]
    evening.waits(seen(match.position, light=0.4), match)
    assert len(taking.asked) == 1, "once for each position"


def test_a_confirmed_turn_renews_the_ground_in_another_light(evening: Evening, match: Match, taking: Taking) -> None:
    later = rivers("c4:2", "a3:3")
    evening.waits(seen(later), match)
    evening.today.take_ground(later)
    assert taking.asked == []
    evening.waits(seen(later, light=0.2), match)
    evening.today.take_ground(rivers("c4:2", "a3:2"))
    evening.today.wait()
    assert taking.asked == [(True, False, "", frozenset({"a3"}))], "of a3 nobody knows what stands there"


def test_ground_that_comes_free_is_taken(evening: Evening, match: Match, taking: Taking) -> None:
    evening.today.await_board()
    evening.waits(seen(match.position), match)
    later = rivers("c4:2", "a3:3")
    evening.waits(seen(later), match)
    evening.today.take_ground(later)
    evening.today.wait()
    assert len(taking.asked) == 2
    evening.waits(seen(later), match)
    evening.today.take_ground(later)
    assert len(taking.asked) == 2, "it was taken"


def test_a_game_that_goes_on_brings_its_board_to_the_table(evening: Evening, match: Match, taking: Taking) -> None:
    evening.today.await_board()
    evening.waits(seen(match.position), match)
    today_path(evening.path).unlink()
    evening.sit_down()
    evening.waits(seen(match.position), match)
    assert evening.kept is not None
    assert evening.watch.table is not None
    assert evening.watch.table.of
    assert len(taking.asked) == 1


def test_somebody_may_ask_for_it(evening: Evening, match: Match, taking: Taking) -> None:
    assert not evening.today.retake(match.position)
    evening.waits(seen(match.position), match)
    assert evening.today.retake(match.position)
    evening.today.wait()
    assert len(taking.asked) == 1


def test_a_disk_that_refuses_costs_the_photo_and_not_the_game(
    evening: Evening, match: Match, taking: Taking, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_what: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(storage, "atomic_write", refuse)
    evening.today.await_board()
    evening.waits(seen(match.position), match)
    assert "No space left" in str(evening.today.fault)
    assert (evening.today.stage, len(taking.asked)) == ("start", 1)


def test_without_a_calibrated_table_nothing_is_looked_for(evening: Evening, match: Match, taking: Taking) -> None:
    evening.watch.table = None
    evening.today.await_board()
    evening.waits(seen_empty())
    assert not any(evening.waits(seen(match.position), match))
    assert (evening.today.stage, taking.asked) == ("", [])
    assert not evening.today.retake(match.position)
    evening.today.close()


def test_the_boards_of_the_last_games_are_kept(tmp_path: Path) -> None:
    names = [f"game-{number}.jsonl.today" for number in range(MOST_KEPT + 2)]
    for number, name in enumerate(names):
        (tmp_path / name).write_bytes(b"")
        _age(tmp_path / name, number)
    prune(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names[2:])


def _age(path: Path, at_s: int) -> None:
    os.utime(path, (at_s, at_s))


@pytest.mark.parametrize(("what", "with_start"), [((True, False, "empty"), False), ((False, True, "start"), True)])
def test_a_table_is_made_of_a_frame(what: tuple[bool, bool, todays_board.Stage], with_start: bool) -> None:
    table = replace(pictures().table, start_bgr=None)
    shot = (pictures().start if with_start else pictures().reference).picture
    sight = todays_board._Sight(read(table, shot), jpeg_of(shot, 95))
    taken = todays_board._take(table, sight, "mark", what, ())
    assert taken is not None
    assert (taken.table.of, taken.table.start_bgr is not None) == ("mark", with_start)
    blank = todays_board._Sight(sight.reading, jpeg_of(np.zeros_like(shot), 95))
    if not with_start:
        assert todays_board._take(table, blank, "mark", what, ()) is None


SHOWN = ((0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8))


@pytest.mark.parametrize("is_there", [True, False])
def test_a_board_is_looked_for_where_somebody_shows_its_corners(
    evening: Evening, match: Match, monkeypatch: pytest.MonkeyPatch, is_there: bool
) -> None:
    asked: list[tuple[list[float], Collection[str]]] = []

    def taken_there(
        table: Table, picture: np.ndarray, corners_px: np.ndarray, mark: str, but: Collection[str]
    ) -> Table | None:
        del picture
        asked.append((corners_px[2].tolist(), but))
        return replace(table, of=mark, corners_px=CORNERS[1:] + CORNERS[:1]) if is_there else None

    monkeypatch.setattr("companion.perception.todays_board.with_new_empty_board_at", taken_there)
    evening.watch.state = "lost"
    evening.waits(seen_empty(), match)
    evening.today.place(np.zeros((480, 640, 3), np.uint8), SHOWN, match.position)
    assert evening.today.placing == "busy"
    evening.today.wait()
    evening.waits(seen_empty(), match)
    corner, covered = asked[0]
    assert corner == pytest.approx([512, 384])
    assert set(covered) == {area.name for area in match.board.areas if match.position.units_in(area.name)}
    assert evening.today.placing == ("done" if is_there else "failed")
    assert evening.watch.table is not None
    assert (evening.watch.table.corners_px == CORNERS) is not is_there
    assert (evening.kept is not None) is is_there


def test_without_a_table_there_is_nothing_to_look_for(evening: Evening, match: Match) -> None:
    evening.watch.table = None
    assert evening.today.latest() is None
    evening.today.place(np.zeros((480, 640, 3), np.uint8), SHOWN, match.position)
    assert evening.today.placing == "failed"
