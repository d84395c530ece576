"""Drafts on the disk: they come back as they were, and a broken one is one clear sentence."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import OwnFileError
from companion.tracing.draft import AirSection, Draft, DraftSpace, OwnCard, SupportNumber
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
from companion.tracing.hexes import BoardGrid
from tests.companion.tracing.rivers import traced

WHOLE = replace(
    traced().draft,
    symmetry="mirror",
    corners=((0.1, 0.2), (0.9, 0.2), (0.9, 0.8), (0.1, 0.8)),
    sections=(AirSection("green", (20.0, 30.0), (34.0, 44.0), (("red", "ship", 2),)),),
    links=(("green", "teal"),),
    spots=(*traced().draft.spots, DraftSpace("fly", "green", (20.0, 15.0), "red")),
    support=(SupportNumber("reinforce:1", 6, 1, False, (("red", 5), ("black", 6))),),
    cards=(OwnCard("ambush", 'Am"bush\\', 3, text="täxt\x7f\n"),),
)


@pytest.fixture
def shelf(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("draft", [WHOLE, traced().draft, Draft("wwii-alpine-ana", "wwii-alpine")])
def test_a_draft_comes_back_as_it_was(draft: Draft) -> None:
    assert read_draft("draft", draft_text(draft)) == draft


def test_drafts_on_the_disk(shelf: Path) -> None:
    save_draft(WHOLE)
    save_photo(WHOLE.name, b"picture")
    assert drafts() == (WHOLE.name,)
    assert load_draft(draft_path(WHOLE.name)) == WHOLE
    assert photo_path(WHOLE.name).read_bytes() == b"picture"
    forget_draft(WHOLE.name)
    forget_draft(WHOLE.name)
    assert drafts() == ()
    with pytest.raises(OwnFileError, match="can't be read"):
        load_draft(draft_path(WHOLE.name))
    assert shelf.exists()


def test_a_disk_that_refuses(shelf: Path) -> None:
    (shelf / "boards").write_text("no folder")
    with pytest.raises(OwnFileError, match="can't be written"):
        save_draft(WHOLE)


TEXT = draft_text(WHOLE)


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
def test_a_grid_that_no_board_has_is_refused(across: tuple[float, float], down: tuple[float, float]) -> None:
    text = draft_text(replace(WHOLE, grid=BoardGrid((0.0, 0.0), across, down)))
    with pytest.raises(OwnFileError, match=r"^draft.toml: grid: not hexes that a board could have$"):
        read_draft("draft.toml", text)


def test_a_size_that_no_board_has_is_refused() -> None:
    with pytest.raises(OwnFileError, match=r"^draft.toml: size_mm\[0\]: 9000.0 is no float from 10 to 3000$"):
        read_draft("draft.toml", draft_text(replace(WHOLE, size_mm=(9000.0, 200.0))))
