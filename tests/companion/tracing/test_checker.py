"""What is missing or impossible is found, and told in a sentence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.tracing.checker import FAULTS, DraftFault, fault_sentence, faults_of
from companion.tracing.draft import AirSection, Draft, DraftSpace, Patch
from companion.tracing.hexes import BoardGrid
from engine.orders.mode import load_mode
from tests.companion.tracing.photos import GRID, RIVERS, begun, cells_of, island, traced

WHOLE = traced().draft
MODE = RIVERS.mode


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
