"""The battlefield as it is drawn: what is touched where, what is enlarged, and that every kind of thing is there."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest

from companion.drawing.icons import ICONS
from companion.scenes.sonae.field import Sketch, field_picture, legend
from companion.ui.battlefield_picture import SIGNS, FieldPicture, LineSight, RingSight, UnitSight, place_of
from companion.ui.screen import Intent, Screen, Text
from companion.ui.small_map import GroundSight
from companion.view.kit.glass import Glass
from companion.view.kit.lettering import Lettering
from companion.view.kit.sheet import Rect, Sheet
from companion.view.kit.theme import theme
from companion.view.layers.field import draw_field
from companion.view.layers.field_ground import FieldFrame
from companion.view.page.canvas import Canvas, lay_out
from engine.sonae.game import new_game
from engine.sonae.position import Position
from engine.sonae.scenario import load_scenario

SIZE = (800, 480)
UNIT = UnitSight("a", "red", "shock", (5.0, 5.0), 90.0)


@pytest.fixture
def position() -> Position:
    return new_game(load_scenario("maru-shikaku"))


@pytest.fixture
def picture(position: Position) -> FieldPicture:
    return field_picture(position)


def sheet_of(picture: FieldPicture, most: Rect = Rect(10, 10, 440, 460), turn: int = 0) -> tuple[Sheet, Rect]:  # noqa: B008
    sheet = Sheet(Lettering(1.0))
    return sheet, draw_field(sheet, picture, most, turn)


def canvas_of(picture: FieldPicture, size: tuple[int, int] = SIZE) -> Canvas:
    return lay_out(Screen("", (Text("a"),), board=picture), size, Glass())


def test_each_kind_of_unit_has_a_sign_of_its_own() -> None:
    assert set(SIGNS.values()) <= set(ICONS)
    assert len(set(SIGNS.values())) == len(SIGNS)


def test_a_touch_beside_a_base_is_meant_for_the_nearest(picture: FieldPicture) -> None:
    assert sheet_of(picture)[0].targets == [], "a picture to look at is not touched"
    sheet, rect = sheet_of(replace(picture, touch=True))
    assert {target.intent.verb for target in sheet.targets} == {"unit"}
    frame = FieldFrame(Rect(rect.x, rect.y, 440, 330), (0, 0, 24, 18))
    x, y = frame.at((23.0, 3.0))  # beside the commander of Shikaku-ni
    hit = sheet.hit((x, y))
    assert hit is not None
    assert hit.intent == Intent("unit", "shikaku-ni-command")


@pytest.mark.parametrize("turn", [0, 180])
def test_a_finger_tells_its_place_on_the_field_turned_or_not(picture: FieldPicture, turn: int) -> None:
    sheet, _rect = sheet_of(replace(picture, drags=True), turn=turn)
    (target,) = sheet.targets
    frame = FieldFrame(target.rect, (0.0, 0.0, 24.0, 18.0), turn == 180)
    told = place_of(target.dragged(frame.at((6.0, 15.0)), 1))
    assert told == pytest.approx((6.0, 15.0), abs=0.01)


def test_the_enlarged_part_tells_its_places_too(picture: FieldPicture) -> None:
    sheet, rect = sheet_of(replace(picture, drags=True, focus=(12.0, 9.0)))
    whole, close = sheet.targets
    assert close.rect.y > whole.rect.bottom
    assert rect.bottom == pytest.approx(close.rect.bottom)
    middle = place_of(close.dragged(close.rect.centre, 0))
    assert middle == pytest.approx((12.0, 9.0), abs=0.01)


def test_the_legend_stands_where_nothing_is_enlarged_and_names_what_is_there(
    picture: FieldPicture, position: Position
) -> None:
    sheet, rect = sheet_of(picture)
    assert {label.text for label in sheet.labels} >= {"firing", "commander", "wavering", "fatigued"}
    assert rect.h > 330
    low = Rect(10, 10, 440, 340)
    assert sheet_of(picture, low)[1].h == 330
    assert sheet_of(replace(picture, legend=()))[1].h == 330
    signs = [sign for sign, _text in legend(position)]
    assert "mounted" not in signs
    assert signs[-3:] == ["wavering", "brittle", "fatigued"]
    assert "mounted" in [sign for sign, _text in legend(replace(position, modes=("mobile", "mobile")))]


LOOKS = ("hill", "forest", "marsh", "water", "bridge", "road", "rough", "rocks", "open", "objective")


def test_every_ground_is_told_by_its_shapes() -> None:
    """Drawn in shapes of grey alone, each kind differs from plain ground and from all the others."""
    outline = ((2.0, 2.0), (8.0, 2.0), (8.0, 6.0), (2.0, 6.0))
    plain = FieldPicture((10.0, 8.0), (), ())
    seen = {look: _grey(replace(plain, grounds=(GroundSight(look, look, outline),))) for look in LOOKS}
    by_picture: dict[bytes, list[str]] = {_grey(plain): ["plain ground"]}
    for look, picture in seen.items():
        by_picture.setdefault(picture, []).append(look)
    assert [alike for alike in by_picture.values() if len(alike) > 1] == []


def _grey(picture: FieldPicture) -> bytes:
    return pygame.image.tobytes(pygame.transform.grayscale(canvas_of(picture).paint()), "RGB")


def test_tall_bridges_and_ground_off_the_field_are_drawn() -> None:
    tall = GroundSight("bridge", "b", ((2.0, 2.0), (3.0, 2.0), (3.0, 6.0), (2.0, 6.0)))
    off = GroundSight("hill", "h", ((20.0, 2.0), (23.0, 2.0), (23.0, 6.0)))
    plain = FieldPicture((10.0, 8.0), (tall,), ())
    assert _grey(plain) != _grey(replace(plain, grounds=()))
    assert _grey(replace(plain, grounds=(tall, off))) == _grey(plain)


@pytest.mark.parametrize("name", ["status", "fatigued", "mark", "facing_deg", "sign", "seat"])
def test_everything_about_a_unit_is_seen_without_colour(name: str) -> None:
    changes: dict[str, tuple[object, ...]] = {
        "status": ("fresh", "wavering", "brittle"),
        "fatigued": (False, True),
        "mark": ("", "live", "chosen", "target", "ghost", "bad", "spent"),
        "facing_deg": (0.0, 90.0, 180.0, 225.0),
        "sign": tuple(SIGNS),
        "seat": ("red", "blue"),
    }
    plain = FieldPicture((10.0, 8.0), (), (UNIT,))
    seen = {_grey(replace(plain, units=(replace(UNIT, **{name: value}),))) for value in changes[name]}  # type: ignore[arg-type]
    assert len(seen) == len(changes[name])


@pytest.mark.parametrize("grid", ["square", "hex"])
def test_grids_rings_lines_and_quarters(grid: str) -> None:
    plain = FieldPicture((10.0, 8.0), (), (UNIT,))
    shown = [plain, replace(plain, grid=grid), replace(plain, quarters="a")]
    shown += [replace(plain, rings=(RingSight(kind, (5.0, 5.0), 3.0),)) for kind in ("command", "general", "fire")]
    shown.append(replace(plain, rings=(RingSight("command", (5.0, 5.0), 3.0, "red"),)))
    for kind in ("move", "charge", "fire", "ruler"):
        shown.append(replace(plain, lines=(LineSight(kind, (1.0, 1.0), (9.0, 7.0), "8.0"),)))
    shown.append(replace(plain, lines=(LineSight("move", (1.0, 1.0), (9.9, 1.0), "a long word beside it"),)))
    assert len({_grey(drawing) for drawing in shown}) == len(shown)
    far = RingSight("fire", (40.0, 40.0), 2.0)
    short = LineSight("move", (5.0, 5.0), (5.1, 5.0))
    assert _grey(replace(plain, rings=(far,))) == _grey(plain)
    assert _grey(replace(plain, lines=(short,))) != _grey(plain)


@pytest.mark.parametrize(
    ("look", "palette"), [("light", "standard"), ("contrast", "deuteranopia"), ("dark", "tritanopia")]
)
def test_themes_and_palettes(picture: FieldPicture, look: str, palette: str) -> None:
    sheet = Sheet(Lettering(1.0), look=theme(look, palette))
    draw_field(sheet, replace(picture, focus=(5.0, 5.0)), Rect(10, 10, 440, 460))
    fill = sheet.look.sides["red"].fill
    assert any(fill in shape for shape in sheet.shapes)


def test_a_focus_shows_its_window_alone_and_none_on_an_upright_screen(picture: FieldPicture) -> None:
    near, _rect = sheet_of(replace(picture, focus=(2.0, 2.0)))
    far, _rect = sheet_of(replace(picture, focus=(9.0, 3.0)))
    assert len(near.shapes) < len(far.shapes)
    canvas = canvas_of(replace(picture, focus=(5.0, 5.0), drags=True), (720, 1280))
    assert [target.intent.verb for target in canvas.sheet.targets].count("field") == 1


def test_circles_are_drawn_around_the_base_that_is_planned(position: Position) -> None:
    for name, kinds in (("maru-ichi-shock-1", {"fire"}), ("maru-ni-command", {"fire", "command"})):
        place = position.here(name).place
        planned = Sketch(rings=name, ghosts=((name, place.moved(0, 1.5), True),))
        rings = {ring.kind: ring.centre for ring in field_picture(position, planned).rings}
        before = {ring.kind: ring.centre for ring in field_picture(position, Sketch(rings=name)).rings}
        assert rings["fire"] == place.moved(0, 1.5).at
        assert {kind for kind, centre in rings.items() if centre != before[kind]} == kinds


def test_a_radius_from_edge_to_edge_is_drawn_half_a_base_wider(position: Position) -> None:
    sketch = Sketch(rings="maru-ichi-general")
    wider = replace(position, readings=frozenset({"radius-from"}))
    radii = [[ring.radius for ring in field_picture(where, sketch).rings] for where in (position, wider)]
    assert [b - a for a, b in zip(*radii, strict=True)] == [0.5, 0.5, 0.0]


def test_sketches_show_marks_and_ghosts(position: Position) -> None:
    place = position.here("maru-ichi-shock-1").place.moved(0, 1)
    sketch = Sketch({"maru-ichi-shock-1": "chosen"}, (("maru-ichi-shock-1", place, False),), focus="maru-ichi-shock-1")
    shown = field_picture(position, sketch)
    assert [unit.mark for unit in shown.units if unit.name == "maru-ichi-shock-1"] == ["chosen", "bad"]
    assert field_picture(position, Sketch(focus="nobody")).focus is None
    assert field_picture(position, Sketch(rings="maru-ichi-general")).rings[1].kind == "general"
    lost = position.without("maru-ni-command")
    assert [ring.kind for ring in field_picture(lost, Sketch(rings="maru-ni-melee")).rings] == ["fire"]
    gone = replace(sketch, ghosts=(("maru-ichi-shock-1", place, True),))
    assert field_picture(position.without("maru-ichi-shock-1"), gone).focus == place.at
