"""The sheets of markers as they are printed, laid as their words say, photographed and measured."""

from __future__ import annotations

from math import hypot

import pytest

from companion.measuring.field import sighting_of
from companion.printing.marker_sheets import Bases, marker_sheets
from companion.settings.marking import MARKINGS, marked_table
from engine.sonae.game import new_game
from engine.sonae.scenario import load_scenario
from tests.companion.printing.printed import Photo, cut_outs, photographed
from vision.bases.bases import measure

SCENARIO = load_scenario("maru-shikaku")


def test_every_paper_says_where_it_goes() -> None:
    sheets = marker_sheets(Bases(SCENARIO, 40.0, MARKINGS["middle"]))
    papers = cut_outs(sheets["corners"])
    names = [paper.words for paper in papers]
    assert names == [(f"{name} corner",) for name in ("far left", "far right", "near left", "near right")]
    assert [paper.black_corner() for paper in papers] == [(False, True), (True, True), (False, False), (True, False)]
    assert len(cut_outs(sheets["bases"])) == len(SCENARIO.units)


@pytest.mark.long
@pytest.mark.parametrize(("marking", "base_mm"), [("middle", 40.0), ("rear", 20.0)])
def test_a_table_laid_as_the_sheet_says_is_measured_as_exactly_as_is_told(marking: str, base_mm: float) -> None:
    sheets = marker_sheets(Bases(SCENARIO, base_mm, MARKINGS[marking]))
    papers = [paper for pages in sheets.values() for paper in cut_outs(pages)]
    picture = photographed(SCENARIO, papers, Photo(base_mm))
    seen = sighting_of(new_game(SCENARIO), measure(picture, marked_table(SCENARIO, MARKINGS[marking])))
    assert (seen.fault, seen.missing, seen.unseen, seen.misplaced, seen.moved) == ("", (), (), {}, ())
    starts = {name: kind.start for name, kind in SCENARIO.units.items()}
    off = {name: hypot(place.x - starts[name].x, place.y - starts[name].y) for name, place in seen.places.items()}
    assert len(off) == len(SCENARIO.units)
    assert max(off.values()) < 0.02
    assert all(off[name] <= seen.errors[name] for name in off)
