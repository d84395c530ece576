"""Owners' own catalogues, damaged ones and what they claim to be; languages in threads, each of which has its own."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from companion.core import language
from companion.core.background import Errand
from companion.core.language import _, plural, speaking
from engine.ruling import Citation, citing
from engine.words import count_words
from intake.po_file import parse_po
from tests.companion.commands.terminal import Capture


@pytest.mark.parametrize(
    "spoil", [lambda path: path.write_bytes(b"torn"), Path.mkdir, lambda path: path.symlink_to("x")]
)
def test_ours_stands_in_for_an_owner_s_damaged_catalogue(
    spoil: Callable[[Path], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
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


# ---- threads -------------------------------------------------------------------------------------

PLACE = Citation("Land Conflicts", 18, Citation("Combates Terrestres", 20))
ENGLISH = ("Undo", "2 cards", "2 red troops", "Land Conflicts, p. 18")
PORTUGUESE = ("Desfazer", "2 cartas", "2 tropas vermelhas", "Combates Terrestres, p. 20")


def words() -> tuple[str, str, str, str]:
    return _("Undo"), plural("{n} card", "{n} cards", 2), count_words(2, "troop", "red"), str(PLACE)


def test_two_threads_speak_two_languages_at_once() -> None:
    both = Barrier(2)

    def spoken(language: str, edition: str) -> list[tuple[str, ...]]:
        heard: list[tuple[str, ...]] = []
        with speaking(language), citing(edition):
            for _turn in range(50):
                both.wait(10)
                heard.append(words())
        return heard

    with ThreadPoolExecutor(2) as pool:
        english, portuguese = pool.map(spoken, ("en", "pt_BR"), ("en", "pt"))
    assert english == [ENGLISH] * 50
    assert portuguese == [PORTUGUESE] * 50
    assert words() == ENGLISH


def test_background_work_speaks_the_language_it_was_begun_in() -> None:
    errand: Errand[tuple[str, ...]] = Errand("test")
    heard = []
    for spoken, edition in (("pt_BR", "pt"), ("en", "en")):
        with speaking(spoken), citing(edition):
            errand.begin(words)
        errand.wait()
        heard.append(errand.fetch())
    errand.close()
    assert heard == [PORTUGUESE, ENGLISH]
