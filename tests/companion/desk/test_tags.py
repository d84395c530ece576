"""Tags bound to cards: a strict file for each deck, in which nothing is lost and nothing is believed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core import storage
from companion.core.errors import TagsError
from companion.core.language import use_language
from companion.desk.tags import Tags, file_of, parse
from companion.text.faults import fault_words
from engine.orders.board import load_board
from engine.orders.mode import Mode
from intake.errors import Unreadable

CODE, OTHER, THIRD, FOURTH = "0F00A1B2C3", "0F00A1B2C4", "978-3-16", "0F00A1B2C6"

pytestmark = pytest.mark.usefixtures("app")


@pytest.fixture
def mode() -> Mode:
    return load_board("sengoku-rivers").mode


def test_a_tag_is_its_card_until_it_is_taken_off(mode: Mode) -> None:
    tags = Tags()
    assert tags.card(mode, CODE) is None
    tags.bind(mode, CODE, "ambush")
    tags.bind(mode, OTHER, "ambush")
    again = Tags()
    assert again.card(mode, CODE) == "ambush"
    assert again.codes(mode, "ambush") == (CODE, OTHER)
    again.unbind(mode, CODE)
    assert Tags().codes(mode, "ambush") == (OTHER,)


def test_every_copy_has_one_tag_and_a_tag_one_card(mode: Mode) -> None:
    tags = Tags()
    copies = mode.cards["ambush"].copies
    for n in range(copies):
        tags.bind(mode, f"TAG{n}", "ambush")
    with pytest.raises(TagsError, match=f"all copies of Ambush already have a tag: {copies}"):
        tags.bind(mode, CODE, "ambush")
    tags.bind(mode, "TAG0", "ambush")
    tags.bind(mode, "TAG0", "mobilise")
    assert tags.codes(mode, "mobilise") == ("TAG0",)
    tags.bind(mode, CODE, "ambush")


def test_each_deck_has_a_file_of_its_own(mode: Mode) -> None:
    other = load_board("wwii-island").mode
    tags = Tags()
    tags.bind(mode, CODE, "ambush")
    tags.bind(other, CODE, next(iter(other.cards)))
    assert Tags().card(mode, CODE) == "ambush"
    assert Tags().card(other, CODE) == next(iter(other.cards))
    assert file_of(mode) != file_of(other)


@pytest.mark.parametrize("code", ['qu"ote', "back\\slash", "õ 日本", "[tags]", "a=b#c", "x" * 128])
def test_any_code_comes_back_as_it_was(mode: Mode, code: str) -> None:
    Tags().bind(mode, code, "ambush")
    assert Tags().of(mode) == {code: "ambush"}


@pytest.mark.parametrize("code", ["", "x" * 129, "line\nfeed", "\x00", "del\x7f"])
def test_what_is_no_code_is_not_bound(mode: Mode, code: str) -> None:
    with pytest.raises(TagsError, match="no code of a card"):
        Tags().bind(mode, code, "ambush")
    assert not file_of(mode).exists()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[tags\n", "Expected"),
        ("tags = 3\n", "only a section"),
        ("[tags]\n[more]\n", "only a section"),
        ('[tags]\n"A" = "dragon"\n', "tags.A: not a card of this deck: 'dragon'"),
        ('[tags]\n"A" = 3\n', "not a card of this deck"),
        ('[tags]\n"A" = "ambush"\n"A" = "ambush"\n', "Cannot overwrite a value"),
        ('[tags]\n"" = "ambush"\n', "no code of a card"),
        ("a = " + "[" * 3000, "nested too deeply"),
        ("a = " + "9" * 5000, "a number with too many digits"),
        ("[tags]\n" + "".join(f'"{n}" = "ambush"\n' for n in range(9)), "more tags than copies of ambush"),
    ],
)
def test_a_damaged_file_is_named_and_set_aside(mode: Mode, text: str, fault: str) -> None:
    path = file_of(mode)
    path.parent.mkdir(parents=True)
    path.write_text(text)
    tags = Tags()
    with pytest.raises(TagsError, match=r"set aside as sengoku-rivers\.toml\.broken-1") as caught:
        tags.of(mode)
    assert fault in str(caught.value)
    assert path.with_name(f"{path.name}.broken-1").read_text() == text
    assert not path.exists()
    assert tags.of(mode) == {}, "it is told once"
    tags.bind(mode, CODE, "ambush")
    assert Tags().of(mode) == {CODE: "ambush"}


def test_bytes_that_are_no_text_are_a_fault(mode: Mode) -> None:
    with pytest.raises(Unreadable, match="byte 0 is not UTF-8"):
        parse(b"\xff\xfe", mode)


@pytest.fixture
def _speaks_portuguese() -> Iterator[None]:
    use_language("pt_BR")
    yield
    use_language("en")


@pytest.mark.usefixtures("_speaks_portuguese")
def test_faults_have_words() -> None:
    assert "Ambush" in fault_words("all copies of Ambush already have a tag: 3")


def test_a_disk_that_refuses_is_told(mode: Mode, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, data: bytes) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(storage, "atomic_write", refuse)
    tags = Tags()
    with pytest.raises(TagsError, match="can't be written"):
        tags.bind(mode, CODE, "ambush")
    assert tags.of(mode) == {}


def leads_nowhere(path: Path) -> None:
    """Make a link to itself at the path, which nobody can open."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(path)


def test_a_file_that_cannot_be_read_is_told(mode: Mode) -> None:
    leads_nowhere(file_of(mode))
    with pytest.raises(TagsError, match="can't be read"):
        Tags().of(mode)


def test_what_could_not_be_read_is_not_written_over(mode: Mode) -> None:
    Tags().bind(mode, CODE, "ambush")
    tags, kept = Tags(), file_of(mode).with_suffix(".kept")
    file_of(mode).rename(kept)
    leads_nowhere(file_of(mode))
    with pytest.raises(TagsError, match="can't be read"):
        tags.card(mode, CODE)
    assert tags.card(mode, CODE) is None, "told once; the game goes on without tags"
    with pytest.raises(TagsError, match="can't be read"):
        tags.bind(mode, OTHER, "ambush")
    with pytest.raises(TagsError, match="can't be read"):
        tags.unbind(mode, CODE)
    kept.replace(file_of(mode))
    tags.bind(mode, OTHER, "ambush")
    assert Tags().codes(mode, "ambush") == (CODE, OTHER)


def test_a_file_that_cannot_be_set_aside_is_told(mode: Mode, monkeypatch: pytest.MonkeyPatch) -> None:
    path = file_of(mode)
    path.parent.mkdir(parents=True)
    path.write_text("nonsense")

    def refuse(path: Path) -> Path:
        raise OSError(30, os.strerror(30))

    monkeypatch.setattr(storage, "set_aside", refuse)
    with pytest.raises(TagsError, match="can't be set aside"):
        Tags().of(mode)
