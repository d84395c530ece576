"""A draft: Rivers taken down by touches comes back as it was; what is missing or broken is told in a sentence."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import OwnFileError
from companion.tracing.checker import FAULTS, DraftFault, fault_sentence, faults_of
from companion.tracing.draft import AirSection, Draft, DraftSpace, OwnCard, Patch, SupportNumber
from companion.tracing.draft_file import (
    draft_path,
    draft_text,
    drafts,
    forget_draft,
    load_draft,
    photo_path,
    read_draft,
    save_draft,
    save_photo,
)
from companion.tracing.edits import Tool
from companion.tracing.hexes import BoardGrid
from companion.tracing.writer import board_text
from engine.orders.board import Area, read_board
from engine.orders.mode import load_mode
from tests.companion.tracing.photos import GRID, RIVERS, Tracer, begun, cells_of, island, traced

WHOLE = traced().draft
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
    check(WHOLE)


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
    tracer.prints([replace(RIVERS.area("d1"), vp=0, start=(), hq=None)])
    check(tracer.draft)
    whole = traced().history.touches
    assert tracer.history.touches - before < 0.65 * whole


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
    assert not tracer.history.put(last), "a touch that changes nothing is counted and not kept"
    assert (tracer.history.touches, tracer.draft) == (touches + 1, last)


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

    def test_the_same_again_takes_away_or_moves(self) -> None:
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
        for x in (120.0, 135.0):
            tracer.touch(Tool("space", "advance"), cell, at=(x, 60.0))
        assert [spot.at_mm for spot in tracer.draft.spots] == [(135.0, 60.0)], "an action space moves"
        for home in (cells_of(RIVERS.area("b5"))[0], cell):
            tracer.touch(Tool("hq", faction="red"), home)
        assert [patch.hq for patch in tracer.draft.patches if patch.hq] == ["red"], "there is one of a faction"
        assert tracer.draft.patch_at(cell).hq == "red"  # type: ignore[union-attr]

    @pytest.mark.parametrize("verb", ["points", "join", "pier", "start", "space", "fort"])
    def test_beside_the_map_nothing_happens(self, verb: str) -> None:
        tracer = self.tracer()
        before = tracer.draft
        tracer.touch(Tool(verb, "troop", "red", 1), (9, 9), (9, 10))
        assert tracer.draft == before


FULL = replace(
    WHOLE,
    symmetry="mirror",
    corners=((0.1, 0.2), (0.9, 0.2), (0.9, 0.8), (0.1, 0.8)),
    sections=(AirSection("green", (20.0, 30.0), (34.0, 44.0), (("red", "ship", 2),)),),
    links=(("green", "teal"),),
    spots=(*WHOLE.spots, DraftSpace("fly", "green", (20.0, 15.0), "red")),
    support=(SupportNumber("reinforce:1", 6, 1, False, (("red", 5), ("black", 6))),),
    cards=(OwnCard("ambush", 'Am"bush\\', 3, text="täxt\x7f\n"),),
)


# ---- on the disk ---------------------------------------------------------------------------------


@pytest.mark.parametrize("draft", [FULL, WHOLE, Draft("wwii-alpine-ana", "wwii-alpine")])
def test_a_draft_comes_back_as_it_was(draft: Draft) -> None:
    assert read_draft("draft", draft_text(draft)) == draft


def test_drafts_on_the_disk(shelf: Path) -> None:
    save_draft(FULL)
    save_photo(FULL.name, b"picture")
    assert drafts() == (FULL.name,)
    assert load_draft(draft_path(FULL.name)) == FULL
    assert photo_path(FULL.name).read_bytes() == b"picture"
    forget_draft(FULL.name)
    forget_draft(FULL.name)
    assert drafts() == ()
    with pytest.raises(OwnFileError, match="can't be read"):
        load_draft(draft_path(FULL.name))
    (shelf / "boards").rename(shelf / "away")
    (shelf / "boards").write_text("no folder")
    with pytest.raises(OwnFileError, match="can't be written"):
        save_draft(FULL)


TEXT = draft_text(FULL)


@settings(max_examples=40)
@given(st.integers(0, len(TEXT)), st.integers(0, 30), st.text(max_size=6))
def test_a_broken_draft_is_told_in_a_sentence(at: int, cut: int, put: str) -> None:
    try:
        read_draft("draft.toml", TEXT[:at] + put + TEXT[at + cut :])
    except OwnFileError as fault:
        told = str(fault)
        assert told.startswith("draft.toml: ")


@pytest.mark.parametrize(
    ("across", "down"),
    [
        ((0.0, 0.0), (0.0, 0.0)),
        ((30.0, 0.0), (60.0, 0.0)),
        ((0.001, 0.0), (0.0, 0.001)),
        ((1e-300, 0.0), (0.0, 1e-300)),
        ((10_000.0, 0.001), (10_000.0, 0.002)),
        ((0.0, 40.0), (40.0, 0.0)),
        ((-40.0, 0.0), (0.0, 40.0)),
    ],
)
def test_a_grid_or_size_that_no_board_has_is_refused(across: tuple[float, float], down: tuple[float, float]) -> None:
    text = draft_text(replace(FULL, grid=BoardGrid((0.0, 0.0), across, down)))
    with pytest.raises(OwnFileError, match=r"^draft.toml: grid: not hexes that a board could have$"):
        read_draft("draft.toml", text)
    with pytest.raises(OwnFileError, match=r"^draft.toml: size_mm\[0\]: 9000.0 is no float from 10 to 3000$"):
        read_draft("draft.toml", draft_text(replace(FULL, size_mm=(9000.0, 200.0))))


# ---- what is missing or impossible ---------------------------------------------------------------


def patch_of(draft: Draft, area: str) -> Patch:
    patch = draft.patch_at(cells_of(RIVERS.area(area))[0])
    assert patch is not None
    return patch


def told(draft: Draft, mode: str = "sengoku-rivers") -> list[str]:
    return [fault_sentence(fault) for fault in faults_of(draft, load_mode(mode))]


def with_(area: str, **changes: object) -> Draft:
    patch = patch_of(WHOLE, area)
    return WHOLE.with_patch(patch, replace(patch, **changes))  # type: ignore[arg-type]


def test_the_whole_board_has_no_fault() -> None:
    assert told(WHOLE) == []
    assert told(replace(WHOLE, symmetry="mirror")) == []


@pytest.mark.parametrize(
    ("draft", "sentence"),
    [
        (replace(begun(), grid=None), "No hexes found yet."),
        (begun(), "There are no areas yet."),
        (with_("a3", hq=""), "Black has no headquarters."),
        (with_("b1", start=(("red", "ship", 1),)), "b1: Red ships can't be there."),
        (with_("b1", start=(("red", "troop", 6),)), "b1 starts with more than 5 units."),
        (with_("b2", piers=(cells_of(RIVERS.area("c4"))[0],)), "The pier of b2 leads to c4, but the two aren't "
                                                               "next to each other."),
        (with_("b1", cells=((1, 4), (1, -4))), "The hexes of b1 aren't connected, or leave a hole."),
        (replace(WHOLE, spots=()), "c4 has no action space."),
        (replace(WHOLE, spots=()), "Shell has no space on the map."),
        (
            replace(WHOLE, spots=(*WHOLE.spots, DraftSpace("sail", (40, 40), (1.0, 1.0)))),
            "One Sail space isn't in any area.",
        ),
        (
            replace(WHOLE, spots=(*WHOLE.spots, DraftSpace("sail", GRID.cell_at((91.08, 91.38)), (91.0, 91.0)))),
            "b5 can't have a space for Sail.",
        ),
        (
            replace(WHOLE, spots=(*WHOLE.spots[1:], replace(WHOLE.spots[0], at_mm=(1.0, 1.0)))),
            "The Advance space is outside b5.",
        ),
        (
            replace(WHOLE, patches=(*WHOLE.patches, Patch(((9, 9),), "land"))),
            "Nothing leads to f1.",
        ),
        (replace(WHOLE, patches=tuple(replace(p, vp=0) for p in WHOLE.patches)), "No area is worth points."),
        (
            replace(WHOLE, patches=tuple(replace(p, slot="") for p in WHOLE.patches)),
            "No area has a bonus token space.",
        ),
        (replace(WHOLE, patches=tuple(replace(p, piers=()) for p in WHOLE.patches)), "There's no pier on the map."),
        (replace(WHOLE, patches=tuple(replace(p, start=()) for p in WHOLE.patches)), "Red starts without any "
                                                                                     "units."),
        (
            replace(WHOLE, patches=tuple(
                replace(p, start=(("red", "troop", 5),)) if p.kind == "land" else p for p in WHOLE.patches)),
            "Red troops: 70 start on the map, but the box has only 25.",
        ),
        (
            replace(WHOLE, patches=(*WHOLE.patches, *(Patch(((n, 20),), "land") for n in range(15)))),
            "37 areas and zones are too many: the limit is 36.",
        ),
        (
            replace(WHOLE, grid=BoardGrid(GRID.origin_mm, GRID.across_mm, (0.0, GRID.down_mm[1] * 1.1))),
            "The hexes look 9% stretched: is the board's size right?",
        ),
    ],
)  # fmt: skip
def test_faults(draft: Draft, sentence: str) -> None:
    assert sentence in told(draft)


@pytest.mark.parametrize(
    ("draft", "sentence"),
    [
        (with_("b1", kind="water"), "b1 and d1 should both be land, or both water."),
        (with_("b1", vp=3), "b1 and d1 are worth different points."),
        (with_("b1", fort=True), "b1 and d1 have different symbols."),
        (with_("b2", piers=()), "b2 and d2 have different piers."),
        (with_("b3", start=()), "b3 and d3 start with different units."),
        (replace(WHOLE, spots=WHOLE.spots[1:]), "b5 and d5 have different action spaces."),
        (replace(WHOLE, patches=WHOLE.patches[:-1]), "a4 has no matching area in the other half."),
    ],
)
def test_unlike_halves(draft: Draft, sentence: str) -> None:
    assert sentence in told(replace(draft, symmetry="mirror"))


def test_air_zones() -> None:
    draft = island().draft
    sentences = told(draft, "wwii-island")
    assert "The aircraft section of the teal zone is missing." in sentences
    assert "d1 isn't below any air zone." in sentences
    alone = replace(draft, links=(("green", "teal"),), sections=(*draft.sections, AirSection("pink", (9, 9), (9, 9))))
    sentences = told(alone, "wwii-island")
    assert "The green zone has no neighbouring zone." in sentences
    assert "There's no land below the pink zone." in sentences
    assert "Pink zone has no action space." in sentences or "pink zone has no action space." in sentences


def test_every_kind_of_fault_has_a_sentence() -> None:
    facts: dict[str, str | int] = {
        "area": "a1", "other": "b1", "faction": "red", "units": "red/troop", "n": 1, "most": 2, "percent": 3,
        "zone": "zone-green", "water": "c1", "action": "sail",
    }  # fmt: skip
    for kind in FAULTS:
        assert "{" not in fault_sentence(DraftFault(kind, "areas", facts=facts))
