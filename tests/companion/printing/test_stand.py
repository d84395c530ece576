"""The camera's stand: high enough for the whole board, the same on paper and as a solid, and closed all round."""

from __future__ import annotations

import re
import struct
from collections import Counter
from math import radians, tan
from pathlib import Path

import numpy as np
import pytest

from companion.cli import main
from companion.core.errors import UsageError
from companion.printing.paper import FOOT_MM as PAGE_FOOT_MM
from companion.printing.paper import MARGIN_MM, SIZES_MM, PaperPage
from companion.printing.stand import (
    FOOT_MM,
    GAP_MM,
    MOST_TILT_DEG,
    PLATE_MM,
    REACH_MM,
    WIDE_MM,
    Stand,
    stand_for,
    stand_sheets,
)
from companion.printing.stand_solid import PLUG_MM, stand_stl, stand_triangles
from engine.orders.board import load_board
from vision.simulation.camera import SimulatedCamera

BOARDS = ("sengoku-rivers", "sengoku-fortress", "wwii-alpine", "wwii-island", "wwii-island-2")
RIVERS_MM = load_board("sengoku-rivers").size_mm
STAND = stand_for(RIVERS_MM)
Points = list[tuple[float, float]]


def points_of(page: PaperPage) -> Points:
    """Every point of the lines on a sheet."""
    paths = [found for shape in page.shapes for found in re.findall(r'd="(M[^"]+)"', shape) if "H" not in found]
    return [(float(x), float(y)) for path in paths for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", path)]


def spans(points: Points) -> tuple[float, float]:
    xs, ys = zip(*points, strict=True)
    return max(xs) - min(xs), max(ys) - min(ys)


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("view_deg", [48.0, 62.0, 102.0])
def test_the_whole_board_and_some_of_the_table_are_in_the_picture(board: str, view_deg: float) -> None:
    along, away = max(size := load_board(board).size_mm), min(size)
    found = stand_for(size, view_deg)
    assert found.tilt_deg <= MOST_TILT_DEG
    level = found.lens_mm * tan(radians(found.tilt_deg))
    assert level == pytest.approx(away / 2 + GAP_MM + WIDE_MM / 2 - REACH_MM), "the lens is where the plate holds it"
    focal = 0.5 / tan(radians(view_deg / 2))
    far = float(np.hypot(level, found.lens_mm))
    camera = SimulatedCamera((along / 2, away / 2), far, found.tilt_deg, focal=focal)
    corners = [(x, y, 0.0) for x in (-10.0, along + 10) for y in (-10.0, away + 10)]
    seen = camera.px(corners)
    assert (seen > 0).all()
    assert (seen < np.array(camera.size_px) - 1).all()


@pytest.mark.parametrize("view_deg", [12.0, 34.9, 110.1, float("nan")])
def test_a_view_that_no_camera_has_is_refused(view_deg: float) -> None:
    with pytest.raises(UsageError, match="--view: from 35 to 110"):
        stand_for(RIVERS_MM, view_deg)


def test_a_board_too_large_for_any_stand_is_refused() -> None:
    with pytest.raises(UsageError, match="no stand is high enough for a board of 3000 x 2000 mm"):
        stand_for((2000.0, 3000.0))


@pytest.mark.parametrize("found", [STAND, stand_for(RIVERS_MM, 48.0), stand_for((120.0, 90.0), 100.0)], ids=str)
def test_the_solid_is_closed_and_fits_a_common_printer(found: Stand) -> None:
    triangles = [*stand_triangles(found)]
    edges = Counter((a, b) for corners in triangles for a, b in zip(corners, (*corners[1:], corners[0]), strict=True))
    assert all(count == 1 and edges[b, a] == 1 for (a, b), count in edges.items())
    corners = np.array(triangles)
    volume = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6
    assert volume > 0, "its triangles face outwards"
    low, high = corners.reshape(-1, 3).min(axis=0), corners.reshape(-1, 3).max(axis=0)
    assert low[2] == 0
    assert ((high - low) < (220, 220, 200)).all()


def test_the_file_has_every_triangle_in_millimetres() -> None:
    data = stand_stl(STAND)
    (count,) = struct.unpack("<I", data[80:84])
    assert len(data) == 84 + 50 * count
    assert not data.startswith(b"solid"), "which would say that it is text"
    values = np.array([struct.unpack_from("<12f", data, 84 + 50 * n) for n in range(count)]).reshape(count, 4, 3)
    assert np.allclose(values[:, 1:], np.array([*stand_triangles(STAND)]), atol=1e-4)
    sides = values[:, 2:] - values[:, 1:2]
    assert np.allclose(np.linalg.norm(values[:, 0], axis=1), 1, atol=1e-4)
    assert np.abs((values[:, :1] * sides).sum(axis=2)).max() < 1e-2, "normals stand on their triangles"
    tubes = values[:, 1:].reshape(-1, 3)[values[:, 1:].reshape(-1, 3)[:, 1] > FOOT_MM[1]]
    assert tubes[:, 2].max() == pytest.approx(STAND.piece_mm + max(PLUG_MM, WIDE_MM / 2 * STAND.slope), abs=0.01)


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("view_deg", [48.0, 62.0, 102.0])
def test_the_sheets_are_in_true_size_and_inside_what_a_printer_prints(paper: str, view_deg: float) -> None:
    found = stand_for(RIVERS_MM, view_deg)
    pages = stand_sheets(found, paper)
    width, height = SIZES_MM[paper]
    assert len(pages) == 1 + found.pieces + (found.pieces > 1)
    for page in pages:
        assert page.size_mm == (width, height)
        for x, y in points_of(page):
            assert MARGIN_MM <= x <= width - MARGIN_MM
            assert MARGIN_MM <= y <= height - MARGIN_MM - PAGE_FOOT_MM
    foot, *pieces = pages[: 1 + found.pieces]
    (corner, _right, far, _left), *_others = (points_of(PaperPage("", foot.size_mm, (shape,))) for shape in foot.shapes)
    assert spans([corner, far]) == pytest.approx(FOOT_MM)
    lengths = [spans(points_of(PaperPage("", page.size_mm, page.shapes[:1])))[1] for page in pieces]
    rise = WIDE_MM / 2 * found.slope
    assert lengths == pytest.approx([found.piece_mm] * (found.pieces - 1) + [found.piece_mm + rise], abs=0.01)
    assert sum(lengths) - rise + REACH_MM * found.slope + PLATE_MM == pytest.approx(found.lens_mm, abs=0.01)


def test_the_command_writes_both_and_says_how_high_the_camera_must_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, head in (("stand.pdf", b"%PDF-"), ("stand.stl", b"Gunbai")):
        assert main(["print", "--stand", str(tmp_path / name)]) == 0
        assert (tmp_path / name).read_bytes().startswith(head)
        lines = capsys.readouterr().out.splitlines()
        assert [line.partition(":")[0] for line in lines[:-1]] == sorted(BOARDS)
        assert f"sengoku-rivers: the camera {STAND.lens_mm / 10:g} cm above the table" in lines
        highest = max(stand_for(load_board(board).size_mm).lens_mm for board in BOARDS)
        assert lines[-1].endswith(f": {highest / 10:g} cm high; print at 100%"), "one stand serves all boards"
    assert main(["print", "wwii-alpine", "--stand", str(tmp_path / "stand.stl"), "--view", "75"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_heights_have_the_point_of_the_language(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["print", "wwii-alpine", "--stand", str(tmp_path / "s.stl"), "--view", "48", "--language", "pt_BR"]
    assert main(words) == 0
    assert "wwii-alpine: a câmera 35,5 cm acima da mesa\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--stand", "stand.txt"], "--stand: a .pdf or an .stl, not stand.txt"),
        (["--stand", "stand.pdf", "--view", "200"], "--view: from 35 to 110, not 200"),
        (["--stand", "stand.pdf", "--view", "wide"], "argument --view: expected a number, not 'wide'"),
        (["--stand", "stand.pdf", "-o", "board.pdf"], "--stand makes the camera's stand alone: it doesn't go with -o"),
        (["wwii-alpine", "--stand", "stand.stl", "--svg", "sheets", "--parts", "board"], "with --svg, --parts"),
        (["wwii-alpine", "--view", "75"], "--view is for the camera's stand: it goes with --stand FILE"),
        (["wwii-alpine", "-o", "board.pdf", "--svg", "sheets"], "give -o FILE or --svg FOLDER, not both"),
        ([], "name a board, or use --stand FILE"),
    ],
)
def test_what_makes_no_stand_is_refused_in_a_line(
    words: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["print", *words]) == 2
    assert told in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]
