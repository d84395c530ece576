"""Our own Fortress print laid on a flat scanner: traced without a word but its name."""

from __future__ import annotations

import argparse
import re
from functools import cache
from io import BytesIO

import cv2
import numpy as np
import pygame
import pytest

from companion.perception.adapters import plan_of
from companion.printing.paper import page_svg
from companion.printing.prints import BLEED_MM, map_sheet
from companion.terminal.tracing import begin_draft, propose, tell_proposal
from companion.tracing import eye
from companion.tracing.draft import SIZE_MM
from companion.tracing.work import TraceWork
from engine.orders.board import load_board
from vision.geometry import Picture
from vision.tracing.sheet import find_outline, proportion_of

BOARD = "sengoku-fortress"
PX_PER_MM = 4.0
PAPER_MM = 34.0
"""White paper round the print."""


@cache
def scan() -> Picture:
    """(H, W, 3) BGR: the print in the middle of white paper; its words are left out."""
    page = map_sheet(load_board(BOARD))
    size = (round(page.size_mm[0] * PX_PER_MM), round(page.size_mm[1] * PX_PER_MM))
    plain = re.sub(r"<text.*?</text>|<style>.*?</style>", "", page_svg(page), flags=re.DOTALL)
    surface = pygame.image.load_sized_svg(BytesIO(plain.encode()), size)
    drawn = np.ascontiguousarray(pygame.surfarray.array3d(surface).transpose(1, 0, 2)[..., ::-1])
    edge = round(PAPER_MM * PX_PER_MM)
    return np.asarray(
        cv2.copyMakeBorder(drawn, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=(255,) * 3), np.uint8
    )


def true_corners() -> list[tuple[float, float]]:
    """Return the print's corners in the scan, TL, TR, BR, BL."""
    (across, down), at = load_board(BOARD).size_mm, PAPER_MM + BLEED_MM
    corners = ((at, at), (at + across, at), (at + across, at + down), (at, at + down))
    return [(x * PX_PER_MM, y * PX_PER_MM) for x, y in corners]


@pytest.mark.long
def test_every_area_of_a_flat_scan_is_proposed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = argparse.Namespace(board=BOARD, name="own", mm=None, corners=None, headless=True)
    draft = begin_draft(asked, scan())
    found = np.array(draft.corners) * scan().shape[1::-1]
    assert np.abs(found - true_corners()).max() < 2
    assert draft.size_mm == load_board(BOARD).size_mm
    work = TraceWork(draft, scan())
    propose(work)
    assert tell_proposal(work, None) == 1
    assert "21 areas, 36 action spaces" in capsys.readouterr().out
    kinds = [patch.kind for patch in work.draft.patches]
    areas = load_board(BOARD).areas
    assert sorted(kinds) == sorted(area.kind for area in areas)


class TestOutlines:
    def test_what_stands_out(self) -> None:
        assert np.abs(find_outline(scan()) - true_corners()).max() < 8

    def test_a_scan_cut_along_the_edge_is_the_board(self) -> None:
        (left, top), _, (right, bottom), _ = np.array(true_corners(), int)
        cut = scan()[top:bottom, left:right]
        height, width = cut.shape[:2]
        assert find_outline(cut).tolist() == [[0, 0], [width, 0], [width, height], [0, height]]

    def test_another_print_is_not_taken_for_the_known_one(self) -> None:
        grey = np.full((600, 800, 3), 60, np.uint8)
        grey[100:500, 150:650] = 200
        corners, size = eye.find_board(grey, plan_of(load_board(BOARD)))
        assert np.abs(np.array(corners) * (800, 600) - [[150, 100], [650, 100], [650, 500], [150, 500]]).max() < 3
        assert size[0] / size[1] == pytest.approx(500 / 400, rel=0.01)
        assert size[0] * size[1] == pytest.approx(216 * 300, rel=0.01)


class TestProportions:
    PHOTO = np.zeros((1000, 1000, 3), np.uint8)

    @pytest.mark.parametrize(
        ("across", "size_mm"), [(0.72, (216.0, 300.0)), (0.74, (216.0, 300.0)), (0.87, SIZE_MM), (0.8, (227.7, 284.6))]
    )
    def test_the_size_follows_from_them(self, across: float, size_mm: tuple[float, float]) -> None:
        corners = ((0.1, 0.1), (0.1 + 0.8 * across, 0.1), (0.1 + 0.8 * across, 0.9), (0.1, 0.9))
        assert eye.size_of(self.PHOTO, corners, (216.0, 300.0)) == pytest.approx(size_mm, abs=0.1)

    def test_a_leaning_camera_is_undone(self) -> None:
        lean = np.radians(20)
        board = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (0.36, 0.5)
        depth = 1.5 + board[:, 1] * np.sin(lean)
        seen = 500 + 1050 * np.stack([board[:, 0], board[:, 1] * np.cos(lean)], axis=1) / depth[:, None]
        assert proportion_of(seen, (1000, 1000)) == pytest.approx(0.72, rel=0.01)

    def test_corners_moved_again_bring_another_size_but_not_a_measured_one(self) -> None:
        asked = argparse.Namespace(board=BOARD, name="own", mm=None, corners=None, headless=False)
        work = TraceWork(begin_draft(asked, self.PHOTO), self.PHOTO)
        upright = ((0.2, 0.1), (0.776, 0.1), (0.776, 0.9), (0.2, 0.9))
        work.put_corners(upright)
        assert work.draft.size_mm == (216.0, 300.0)
        work.put_corners((*upright[1:], upright[0]))
        assert work.draft.size_mm == pytest.approx((300.0, 216.0))
        asked.mm = "210x290"
        work = TraceWork(begin_draft(asked, self.PHOTO), self.PHOTO)
        work.put_corners(upright)
        assert work.draft.size_mm == (210.0, 290.0)
