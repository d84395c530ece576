"""Charts of chances: every part says whose it is and how likely, at any width; no colour stands alone."""

from __future__ import annotations

import pytest

from companion.settings.layers import THEMES
from companion.ui import screen as scr
from companion.view.blocks.charts import COLUMN_PT, draw_odds
from companion.view.kit.sheet import Rect, Sheet
from companion.view.kit.theme import theme

CONFLICT = scr.Odds(
    "Conflict in c4",
    (
        scr.Share("red", "Red keeps it", 0.9, "90%"),
        scr.Share("nobody", "nobody", 0.09, "9%"),
        scr.Share("black", "Black keeps it", 0.01, "1%"),
    ),
)
SHOT = scr.Odds("2 dice", tuple(scr.Share("", str(n), part, f"{part:.0%}") for n, part in enumerate((0.25, 0.5, 0.25))))


def sheet_for(name: str = "dark") -> Sheet:
    return Sheet(lambda text, size, bold: len(text) * size * 0.5, 1.0, look=theme(name))


@pytest.mark.parametrize("width", [218.0, 440.0, 700.0])
@pytest.mark.parametrize("name", THEMES)
def test_every_outcome_is_told_in_words_with_its_chance(name: str, width: float) -> None:
    sheet = sheet_for(name)
    high = draw_odds(sheet, CONFLICT, Rect(0, 0, width, 0))
    told = " ".join(label.text for label in sheet.labels)
    for share in CONFLICT.shares:
        assert share.label in told
        assert share.value in told
    assert max(label.rect.bottom for label in sheet.labels) <= high


def test_a_faction_has_its_shape_in_the_legend() -> None:
    sheet = sheet_for()
    draw_odds(sheet, CONFLICT, Rect(0, 0, 440, 0))
    red, black = (f'stroke="{sheet.look.sides[faction].line}"' for faction in ("red", "black"))
    assert any("<circle" in shape and red in shape for shape in sheet.shapes)
    assert any("<path" in shape and black in shape for shape in sheet.shapes)


def test_columns_are_as_high_as_their_chance_and_the_likeliest_stands_out() -> None:
    sheet = sheet_for()
    draw_odds(sheet, SHOT, Rect(0, 0, 440, 0))
    bars = [shape for shape in sheet.shapes if shape.startswith("<rect")]
    heights = [float(bar.split('height="')[1].split('"')[0]) for bar in bars]
    assert heights == [COLUMN_PT / 2, COLUMN_PT, COLUMN_PT / 2]
    assert [sheet.look.accent in bar.split("stroke")[0] for bar in bars] == [False, True, False]


def test_without_outcomes_only_the_line_stands_there() -> None:
    sheet = sheet_for()
    assert draw_odds(sheet, scr.Odds("1 die, but nothing to hit", ()), Rect(0, 0, 440, 0)) > 0
    assert sheet.shapes == []
