"""Rivers taken down by touches comes back from its file as it was."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.tracing.draft import Draft, History
from companion.tracing.edits import Tool
from companion.tracing.writer import board_text
from engine.orders.board import Area, read_board
from tests.companion.tracing.rivers import GRID, RIVERS, Tracer, begun, cells_of, traced

SLOTS = RIVERS.slots
NAMES = {"b6": "c6"}


def same(area: Area, other: Area) -> None:
    """All that a game asks of an area, c6 being traced as b6 as its lowest hex in its first column is called."""
    assert (area.kind, area.vp, area.hq, area.slot) == (other.kind, other.vp, other.hq, other.slot)
    assert sorted(area.start) == sorted(other.start)
    assert sorted(area.ports) == sorted(other.ports)
    assert sorted(NAMES.get(name, name) for name in area.adjacent) == sorted(other.adjacent)
    assert area.polygon_mm == pytest.approx([pytest.approx(corner, abs=0.06) for corner in other.polygon_mm])


def check(draft: Draft) -> None:
    """Check that the file of this draft is the board Rivers."""
    board = read_board("ana.toml", board_text(draft, SLOTS))
    assert board.slots == RIVERS.slots
    for area in board.areas:
        same(area, RIVERS.area(NAMES.get(area.name, area.name)))
    assert len(board.areas) == len(RIVERS.areas)
    found = {space.name.replace("b6", "c6"): space.at_mm for space in board.spaces}
    assert found.keys() == {space.name for space in RIVERS.spaces}
    for space in RIVERS.spaces:
        if space.at_mm:
            assert found[space.name] == pytest.approx(space.at_mm, abs=0.1)


def test_rivers_touch_by_touch() -> None:
    check(traced().draft)


def test_half_of_rivers_and_its_mirror() -> None:
    """With its symmetry switched on, the left half and the middle are enough."""
    tracer = Tracer(begun())
    left = [area for area in RIVERS.areas if area.name[0] in "abc"]
    tracer.areas([RIVERS.area("a1"), RIVERS.area("e1")])
    tracer.history.put(replace(tracer.draft, symmetry="mirror"))
    before = tracer.history.touches
    tracer.areas([area for area in left if area.name != "a1"])
    tracer.prints(left)
    tracer.piers(left)
    tracer.spaces([area.name for area in left])
    tracer.prints([replace_only_slot(RIVERS.area("d1"))])
    check(tracer.draft)
    whole = traced().history.touches
    assert tracer.history.touches - before < 0.65 * whole


def replace_only_slot(area: Area) -> Area:
    return replace(area, vp=0, start=(), hq=None)


def test_undo_and_redo() -> None:
    tracer = traced()
    last, touches = tracer.draft, tracer.history.touches
    steps = 0
    while tracer.history.can_undo:
        tracer.history.undo()
        steps += 1
    assert tracer.draft == begun()
    assert steps == touches
    tracer.history.undo()
    while tracer.history.can_redo:
        tracer.history.redo()
    tracer.history.redo()
    assert tracer.draft == last


def test_a_touch_that_changes_nothing_is_counted_and_not_kept() -> None:
    history = History(begun())
    assert not history.put(begun())
    assert (history.touches, history.can_undo) == (1, False)


class TestTouches:
    def tracer(self) -> Tracer:
        tracer = Tracer(begun())
        tracer.areas([RIVERS.area("c6"), RIVERS.area("b5"), RIVERS.area("c5")])
        return tracer

    def test_joining_again_parts(self) -> None:
        tracer = self.tracer()
        first, middle, last = cells_of(RIVERS.area("c6"))
        assert len(tracer.draft.patches) == 3
        tracer.touch(Tool("join"), first, middle)
        assert sorted(map(len, (patch.cells for patch in tracer.draft.patches))) == [1, 1, 1, 2]
        tracer.touch(Tool("join"), first, middle)
        assert sorted(tracer.draft.patch_at(last).cells) == sorted([first, middle, last])  # type: ignore[union-attr]

    def test_a_hex_taken_off_the_map_parts_its_area(self) -> None:
        tracer = self.tracer()
        _first, middle, _last = cells_of(RIVERS.area("c6"))
        tracer.touch(Tool("kind", "none"), middle)
        assert tracer.draft.patch_at(middle) is None
        assert len(tracer.draft.patches) == 4
        tracer.touch(Tool("kind", "none"), middle)

    def test_water_carries_no_marks_of_land(self) -> None:
        tracer = self.tracer()
        cell = cells_of(RIVERS.area("c5"))[0]
        tracer.touch(Tool("slot", "star"), cell)
        tracer.touch(Tool("fort"), cell)
        tracer.touch(Tool("points", n=2), cell)
        tracer.touch(Tool("kind", "water"), cell)
        patch = tracer.draft.patch_at(cell)
        assert patch is not None
        assert (patch.slot, patch.fort, patch.vp) == ("", False, 2)
        tracer.touch(Tool("slot", "star"), cell)
        assert tracer.draft.patch_at(cell) == patch

    def test_the_same_again_takes_away(self) -> None:
        tracer = self.tracer()
        cell = cells_of(RIVERS.area("c5"))[0]
        start = tracer.draft
        at = GRID.centre(cell)
        for tool in (Tool("points", n=2), Tool("fort"), Tool("slot", "star"), Tool("space", "advance"),
                     Tool("start", "troop", "red", 2)):  # fmt: skip
            tracer.touch(tool, cell, at=at)
            assert tracer.draft != start
            tracer.touch(tool, cell, at=at)
            assert tracer.draft == start

    def test_there_is_one_headquarters_of_a_faction(self) -> None:
        tracer = self.tracer()
        one, other = (cells_of(RIVERS.area(name))[0] for name in ("b5", "c5"))
        tracer.touch(Tool("hq", faction="red"), one)
        tracer.touch(Tool("hq", faction="red"), other)
        assert [patch.hq for patch in tracer.draft.patches if patch.hq] == ["red"]
        assert tracer.draft.patch_at(other).hq == "red"  # type: ignore[union-attr]

    def test_an_action_space_moves(self) -> None:
        tracer = self.tracer()
        cell = cells_of(RIVERS.area("c5"))[0]
        tracer.touch(Tool("space", "advance"), cell, at=(120.0, 60.0))
        tracer.touch(Tool("space", "advance"), cell, at=(135.0, 60.0))
        assert [spot.at_mm for spot in tracer.draft.spots] == [(135.0, 60.0)]

    @pytest.mark.parametrize("verb", ["points", "join", "pier", "start", "space", "fort"])
    def test_beside_the_map_nothing_happens(self, verb: str) -> None:
        tracer = self.tracer()
        before = tracer.draft
        tracer.touch(Tool(verb, "troop", "red", 1), (9, 9), (9, 10))
        assert tracer.draft == before
