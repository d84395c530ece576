"""Checks of a drawn screen by code: nothing cut off, nothing over another, everything large enough to touch.

Each check gives sentences, one for each fault. A canvas is what `companion.view.page.canvas.lay_out` gives: its sheet
knows every label and every target in points.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple
from unittest import mock

import numpy as np
import pygame

from companion.core.language import _
from companion.ui.battlefield_picture import FieldPicture
from companion.ui.screen import Block, Columns, Log, Prompt, Screen, Slip, Text, Verdict
from companion.view.blocks.bar import Bar, bar_height
from companion.view.blocks.blocks import stack
from companion.view.kit import wrapping
from companion.view.kit.lettering import Lettering
from companion.view.kit.sheet import Label, Rect, Sheet, Target
from companion.view.kit.theme import CLOSE_PT
from companion.view.kit.wrapping import Measure
from companion.view.page import marks
from companion.view.page.canvas import RIM_PT, Canvas
from companion.view.page.layout import Arranged
from companion.view.page.marks import Shapes
from companion.view.window.panes import Shown
from tests.companion.view.colours import contrast

SMALLEST_PT = 8.0  # letters under this are unreadable beside a table
SLACK_PT = 0.3
CONTRAST, CONTRAST_LARGE = 4.5, 3.0  # what WCAG 2 asks of text at level AA
LARGE_PT = 19.0
Box = tuple[int, int, int, int]
WORD = re.compile(r"[^\W\d_]+\W?")
AREA = re.compile(r"[a-z]\d|\S+\.")
UNLIKE, LEAST_GROUND = 60.0, 0.3  # so far from the letters' colour, and so much of their place, is a ground
SHADE = 40  # levels of each channel that count as one shade
BEYOND = 40  # pixels around the place of a group in which its shapes are looked for
AREA_PART = 0.7  # of the least side of a target, what an area of a map may have


def faults(canvas: Canvas) -> list[str]:
    """Return what is wrong with a drawn screen, in words."""
    return [*misplaced(canvas), *(fault for layer in _layers(canvas) for fault in too_small(layer))]


def faults_on(shown_pane: Shown) -> list[str]:
    """Return what is wrong with a pane, in words.

    The areas of a map in a half of its own, or of a photo, may be small, and so may bases on a battlefield: a touch
    near one is meant for the nearest.
    """
    cut = (
        []
        if shown_pane.pane.screen.map or shown_pane.pane.screen.board or shown_pane.pane.screen.photo
        else halved(shown_pane.canvas)
    )
    small = (bool(shown_pane.pane.seat) and shown_pane.pane.between is None) or shown_pane.pane.screen.board is not None
    return cut + [
        fault
        for fault in faults(shown_pane.canvas)
        if not (fault.startswith("unit ") or (small and fault.startswith("area ")))
    ]


def misplaced(canvas: Canvas) -> list[str]:
    """Return what does not fit, or lies on something else."""
    return [fault for layer in _layers(canvas) for fault in (*cut_off(layer), *on_top(layer), *crossing(layer))]


def halved(canvas: Canvas) -> list[str]:
    """Labels and targets of which a banner covers the upper part alone."""
    banners = (
        [target.rect for target in canvas.sheet.over.targets if target.intent.verb == "hush"]
        if canvas.sheet.over
        else []
    )
    beneath = [(label.text, label.rect) for label in canvas.sheet.labels]
    beneath += [(told(target), target.rect) for target in canvas.sheet.targets]
    return [
        f"{name!r} is cut in two by a banner"
        for name, rect in beneath
        for banner in banners
        if banner.y <= rect.y < banner.bottom - 1 and rect.bottom > banner.bottom + 1
        if banner.x < rect.right and rect.x < banner.right
    ]


@contextmanager
def breaking() -> Iterator[set[str]]:
    """Yield the ends of lines that are drawn meanwhile in the middle of a word, except in names of files."""
    found: set[str] = set()
    parted = wrapping._parts

    def watched(measure: Measure, word: str, font: tuple[float, bool], width: float) -> list[str]:
        parts = parted(measure, word, font, width)
        if WORD.fullmatch(word):
            found.update(parts[:-1])
        return parts

    wrapping.wrap_text.cache_clear()
    with mock.patch.object(wrapping, "_parts", watched):
        yield found
    wrapping.wrap_text.cache_clear()


def broken_words(canvas: Canvas, ends: set[str]) -> list[str]:
    """Labels that end in the middle of a word; ends: what `breaking` found meanwhile."""
    labels = [label.text for layer in canvas.sheet.layers() for label in layer.labels]
    return [
        f"{text!r} ends in the middle of a word" for text in labels if text.split()[-1:] and text.split()[-1] in ends
    ]


def ill_worded(screen: Screen) -> list[str]:
    """Return what is wrong with the words of a screen."""
    return [*twins(screen), *small_beginnings(screen.blocks)]


def twins(screen: Screen) -> list[str]:
    """Buttons along the lower edge that are called alike, more than one that leaves, and one that says so otherwise."""
    names = Counter(action.label for action in screen.actions)
    leaving = [action for action in screen.actions if action.spot == "leave"]
    otherwise = [action.label for action in leaving if action.label not in (_("Back"), _("Cancel"))]
    found = [f"{name!r} is there {n} times" for name, n in names.items() if n > 1]
    found += [f"{label!r} leaves in words of its own" for label in otherwise]
    return found + (["two buttons leave"] if len(leaving) > 1 else [])


def small_beginnings(blocks: Sequence[Block]) -> list[str]:
    """Sentences that begin in small letters, where they have a line of their own; names of areas and files may."""
    found = []
    for block in blocks:
        if isinstance(block, Columns):
            found += small_beginnings((*block.left, *block.right))
        told = {Text: ("text",), Prompt: ("text", "hint"), Verdict: ("text",), Slip: ("title",)}.get(type(block), ())
        for text in (getattr(block, name) for name in told):
            if text.endswith(".") and text[0].islower() and not AREA.match(text):
                found.append(f"{text!r} begins with a small letter")
    return found


def _layers(canvas: Canvas) -> Iterator[Canvas]:
    for sheet in canvas.sheet.layers():
        yield replace(canvas, sheet=sheet)


def lettering_of(canvas: Canvas) -> Lettering:
    """Return what sets the letters of a canvas."""
    return Lettering(canvas.px_per_pt, canvas.sheet.look.material.heading)


def ink(canvas: Canvas, label: Label) -> pygame.Rect:
    """Where a label's letters are, in pixels, without the empty edges of their line."""
    place = lettering_of(canvas).place_px(label)
    return place.inflate(-2, -round(place.h * 0.4))


def cut_off(canvas: Canvas) -> list[str]:
    """Labels that leave their box or the screen, were cut to fit, or set too small to read."""
    whole = pygame.Rect((0, 0), canvas.size_px)
    found = []
    for label in canvas.sheet.labels:
        box = pygame.Rect(*(round(value * canvas.px_per_pt) for value in label.rect)).inflate(2, 4)
        place = lettering_of(canvas).place_px(label)
        if not box.contains(ink(canvas, label)) or not whole.contains(place):
            found.append(f"{label.text!r} does not fit its box")
        if label.text.endswith("…") or label.size < SMALLEST_PT:
            found.append(f"{label.text!r} was cut or set too small")
    return found


def on_top(canvas: Canvas) -> list[str]:
    """Labels over one another."""
    places = [(label, ink(canvas, label)) for label in canvas.sheet.labels]
    return [
        f"{label.text!r} lies on {other.text!r}"
        for (label, place), (other, other_place) in itertools.combinations(places, 2)
        if place.colliderect(other_place)
    ]


def too_small(canvas: Canvas) -> list[str]:
    """Targets that are narrower or lower than 12 mm, which the sheet knows in points; areas of a map than 8.4 mm.

    How large its areas are is for a board to say, and a touch beside one is meant for the nearest.
    """
    least = canvas.sheet.touch
    return [
        f"{told(target)} is only {target.rect.w / least * 12:.1f} by {target.rect.h / least * 12:.1f} mm"
        for target in canvas.sheet.targets
        if min(target.rect.w, target.rect.h) < (AREA_PART if _is_area(target) else 1.0) * least - SLACK_PT
    ]


def _is_area(target: Target) -> bool:
    return target.intent.verb == "area" and bool(target.outline)


def told(target: Target) -> str:
    """Return what a target is for, in short."""
    return " ".join(part for part in (target.intent.verb, target.intent.what, target.intent.seat) if part)


def crossing(canvas: Canvas) -> list[str]:
    """Targets over one another, off the map: there the nearer space lies over its area on purpose."""
    return [f"{told(target)} lies on {told(other)}" for target, other in _overlapping(canvas)]


def _overlapping(canvas: Canvas) -> Iterator[tuple[Target, Target]]:
    flat = [target for target in canvas.sheet.targets if not target.outline]
    for this, other in itertools.combinations(flat, 2):
        first, second = (pygame.Rect(*map(round, target.rect)).inflate(-2, -2) for target in (this, other))
        if first.colliderect(second):
            yield this, other


# ---- pages ----------------------------------------------------------------------------------


class Try(NamedTuple):
    """One way that a screen may be arranged on its sheet."""

    sheet: Sheet
    screen: Screen
    found: Arranged


def pages_that_need_not_be(tries: list[Try]) -> list[str]:
    """Two pages of what has room on one, with gaps as narrow as may be; headings that are parted from their things."""
    found = []
    for _screen, some in itertools.groupby(tries, lambda attempt: id(attempt.screen)):
        ways = list(some)
        chosen = min(ways, key=lambda way: len(way.found.pages))
        pages = chosen.found.pages
        if len(pages) == 2 and any(map(_on_one_page, ways)):
            found.append(f"two pages, where one is enough: {[type(block).__name__ for block in pages[1]]}")
        found += [f"{page[-1]} is the last on its page" for page in pages[:-1] if len(page) > 1 and _heads(page[-1])]
    return found


def _on_one_page(way: Try) -> bool:
    """Whether all blocks have room between title and actions, where no pager takes any."""
    place, bar = way.found.blocks, way.found.bar
    if place.x == bar.x:
        place = place._replace(h=bar.h - bar_height(way.sheet, Bar(way.screen.actions, bar.w), bar.w))
    close = replace(way.sheet.scratch(), gap=CLOSE_PT)
    blocks = [block for block in way.screen.blocks if not isinstance(block, Log)]
    return stack(close, blocks, place) <= place.h


def _heads(block: Block) -> bool:
    return isinstance(block, Text) and block.tone in ("title", "strong")


def cut_shapes(shown_pane: Shown) -> list[str]:
    """Shapes that reach beyond the box that their group is painted in, which only the enlarged part of a field may."""
    board, canvas = (
        shown_pane.pane.between or shown_pane.pane.screen.board or shown_pane.pane.screen.beside,
        shown_pane.canvas,
    )
    if isinstance(board, FieldPicture) and board.focus is not None:
        return []
    whole = pygame.Rect(0, 0, *(round(value / canvas.px_per_pt) for value in canvas.size_px))
    found = []
    for layer in canvas.sheet.layers():
        for shapes, rect in layer.grouped():
            if rect is None:
                continue
            box = _widened(rect)
            drawn = _reach(shapes, _clipped(box.inflate(2 * BEYOND, 2 * BEYOND), whole))
            drawn = drawn if drawn.w else _reach(shapes, (0, 0, *whole.size))  # all of it may be elsewhere
            if drawn.w and not box.contains(drawn):
                found.append(f"shapes in {drawn} are painted in {rect} only: {shapes[:80]}")
    return found


def _clipped(box: pygame.Rect, whole: pygame.Rect) -> Box:
    """Return the part of a box that is on the screen, with at least a pixel in it."""
    left, top, width, height = box.clip(whole)
    return left, top, max(1, width), max(1, height)


@lru_cache(maxsize=2048)
def _reach(shapes: str, box: Box) -> pygame.Rect:
    """Return the box around all that is seen of the shapes there, cached as much the same is drawn in most scenes."""
    seen = pygame.surfarray.pixels_alpha(marks._raster(Shapes(box, shapes, 1.0))) > 0
    across, down = (np.flatnonzero(seen.any(axis=axis)) for axis in (1, 0))
    if not len(across):
        return pygame.Rect(0, 0, 0, 0)
    left, top = box[0] + int(across[0]), box[1] + int(down[0])
    return pygame.Rect(left, top, across[-1] + 1 - across[0], down[-1] + 1 - down[0])


def _widened(rect: Rect) -> pygame.Rect:
    """Return the box of a group at one pixel a point, with what is half covered at its edges."""
    left, top = math.floor(rect.x - RIM_PT) - 1, math.floor(rect.y - RIM_PT) - 1
    return pygame.Rect(left, top, math.ceil(rect.right + RIM_PT) + 1 - left, math.ceil(rect.bottom + RIM_PT) + 1 - top)


# ---- colours --------------------------------------------------------------------------------


def faint(canvas: Canvas) -> list[str]:
    """Labels of a painted canvas that do not stand out from what is around their letters."""
    found = []
    picture = canvas.paint()
    covers = [target.rect for layer in list(canvas.sheet.layers())[1:] for target in layer.targets]
    for label in canvas.sheet.labels:
        if any(cover.holds(label.rect.centre) for cover in covers) or _is_veiled(canvas.sheet, label):
            continue
        ground = _ground(picture, lettering_of(canvas).place_px(label), label.colour)
        ratio = contrast(label.colour, ground)
        if ratio < (CONTRAST_LARGE if label.size >= LARGE_PT else CONTRAST):
            found.append(f"{label.text!r} has a contrast of {ratio:.1f} on {ground}")
    return found


def _is_veiled(sheet: Sheet, label: Label) -> bool:
    """Whether a lesson has dimmed it on purpose: then it is for the map and the coach to be read."""
    bright = sheet.over.bright if sheet.over is not None else []
    return bool(bright) and not any(place.holds(label.rect.centre) for place in bright)


def _ground(picture: pygame.Surface, letters: pygame.Rect, colour: str) -> str:
    """Return the ground "#rrggbb" around letters of this colour, as a plate has a sheen and a map a picture under it.

    Of the pixels unlike the letters, those of the most frequent shade; the letters' own colour where there are too few.
    """
    place = letters.clip(picture.get_rect())
    part = pygame.surfarray.pixels3d(picture.subsurface(place))[::2, ::2].reshape(-1, 3).astype(np.int32)
    apart = np.sqrt(((part - np.array(tuple(bytes.fromhex(colour[1:])))) ** 2).sum(axis=1))
    others = part[apart > UNLIKE]
    if len(others) < LEAST_GROUND * len(part) or not len(others):
        return colour
    shades = others // SHADE @ (1, 100, 10_000)
    found, first, counts = np.unique(shades, return_index=True, return_counts=True)
    commonest = found[max(range(len(found)), key=lambda at: (counts[at], -first[at]))]
    grounds = Counter(map(bytes, others[shades == commonest].astype(np.uint8)))
    before = int(grounds.total()) // 4  # letters' soft edges left out
    for ground in sorted((f"#{pixel.hex()}" for pixel in grounds), key=lambda ground: contrast(colour, ground)):
        before -= grounds[bytes.fromhex(ground[1:])]
        if before < 0:
            break
    return ground
