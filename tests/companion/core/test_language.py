"""Owners' own catalogues: damaged ones, and what they claim to be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.core import language
from intake.po_file import parse_po


@pytest.mark.parametrize(
    "spoil", [lambda path: path.write_bytes(b"torn"), Path.mkdir, lambda path: path.symlink_to("x")]
)
def test_ours_stands_in_for_an_owner_s_damaged_catalogue(
    spoil: Callable[[Path], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    path = tmp_path / language.OWN / "pt_BR.po"
    path.parent.mkdir()
    spoil(path)
    assert language.catalogue_of("pt_BR").gettext("Undo") == "Desfazer"
    language.catalogue_of("pt_BR")
    told = capsys.readouterr().err
    assert told.startswith(f"gunbai: {path}: ")
    assert told.count("\n") == 1
    assert "Errno" not in told


@pytest.mark.parametrize(("told", "code"), [("eo", "eo"), ("../../etc", "en"), ("/etc", "en"), ("e" * 5000, "en")])
def test_a_catalogue_is_of_no_language_that_is_none(told: str, code: str) -> None:
    """Pages of help and voices are looked for by this name."""
    before = language.catalogue_of("en")
    language.use_catalogue(parse_po(f'msgid ""\nmsgstr "Language: {told}\\n"\n'.encode()))
    try:
        assert language.language_code() == code
    finally:
        language.use_catalogue(before)
