"""The translations: the template has every text, each language has them all."""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Message

from companion.core import language
from companion.core.language import _, languages, plural, use_language
from engine.orders.board import load_board
from tests.catalogue import (
    ROOT,
    TEMPLATE,
    calls,
    catalogue,
    messages,
    said,
    spoken,
    template,
    translations,
    written,
)
from tests.companion.sample_games import BOARD

pytestmark = pytest.mark.long

LANGUAGES = translations()


def places(text: str) -> set[str]:
    return {name for _text, name, _form, _how in string.Formatter().parse(text) if name is not None}


def forms(text: object) -> tuple[str, ...]:
    return tuple(text) if isinstance(text, tuple | list) else (str(text or ""),)


def edges(text: str) -> tuple[bool, bool]:
    return text[:1] == " ", text[-1:] == " "


def called(message: Message) -> str:
    return f"{forms(message.id)[0]!r}: {message.string!r}"


def test_the_template_has_the_texts_of_today() -> None:
    assert TEMPLATE.read_bytes() == written(template()), "run: python -m tests.catalogue"


def tangled(tree: ast.AST) -> Iterator[str]:
    """Texts inside an f-string, or that are one: no sentence that anybody could translate."""
    inside = [call for string in ast.walk(tree) if isinstance(string, ast.JoinedStr) for call in calls(string)]
    made = [call for call in calls(tree) if any(isinstance(form, ast.JoinedStr | ast.BinOp) for form in said(call))]
    yield from (f"line {call.lineno}: {ast.unparse(call)}" for call in (*inside, *made))


def unread(tree: ast.AST) -> Iterator[str]:
    """Pairs of forms that are unpacked: they stand in no catalogue, and are said in English in every language."""
    for call in calls(tree):
        if any(isinstance(form, ast.Starred) for form in said(call)):
            yield f"line {call.lineno}: {ast.unparse(call)}"


@pytest.mark.parametrize("room", ["engine", "vision", "hardware", "companion"])
def test_every_text_is_written_whole_in_its_call(room: str) -> None:
    files = sorted((ROOT / room).rglob("*.py"))
    assert files
    trees = ((str(path.relative_to(ROOT)), ast.parse(path.read_text(encoding="utf-8"))) for path in files)
    found = {name: [*tangled(tree), *unread(tree)] for name, tree in trees}
    assert {name: lines for name, lines in found.items() if lines} == {}, "a sentence with named places, both forms"


@pytest.mark.parametrize(
    "source",
    [
        """f"{who}: {_('pieces')}" """,
        """f"{who}: {plural('{n} unit', '{n} units', n)}" """,
        """f"{who}: {say(FEATURES[verb], n=2)}" """,
        """f"{who}: {words.say('pieces')!r:>{width}}" """,
        """f"{', '.join(f'{_(kind)}' for kind in kinds)}" """,
        """f"{n:{len(_('width'))}}" """,
        """_(f"{n} pieces")""",
        """_("pieces of " + who)""",
        """plural("{n} piece", f"{n} pieces", n)""",
    ],
)
def test_a_text_inside_an_f_string_is_seen(source: str) -> None:
    assert list(tangled(ast.parse(source.strip())))


def test_a_pair_of_forms_that_is_unpacked_is_seen() -> None:
    assert list(unread(ast.parse("plural(*FORMS[kind], n)")))
    assert list(unread(ast.parse("plural('{n} unit', '{n} units', n)"))) == []


def test_a_sentence_with_named_places_is_none() -> None:
    source = """
who = f"{name} ({colour})"
told = _("{who} begins with {n}.").format(who=f"{who}", n=plural("{n} card", "{n} cards", 2))
"""
    assert list(tangled(ast.parse(source))) == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('_("Undo")', ["Undo"]),
        ('_("A long "\n  "sentence.")', ["A long sentence."]),
        ('plural("{n} card", "{n} cards", n)', [("{n} card", "{n} cards")]),
        ('PAIRS = {"card": pair("{n} card", "{n} cards")}', [("{n} card", "{n} cards")]),
        ('say(mark("{who} passes"), who=_("Red"))', ["{who} passes", "Red"]),
        ('words.say("A {card}", card=card)', ["A {card}"]),
        ('translation.gettext("English")', ["English"]),
        (
            """f"{title}: {_('pieces')} {plural('{n} unit', '{n} units', n)}" """.strip(),
            ["pieces", ("{n} unit", "{n} units")],
        ),
        ('_("")', []),
        ("_(reading.other if answer == 'other' else reading.default)", []),
        ("speak(_, ngettext)", []),
    ],
)
def test_what_is_found_is_the_same_on_every_python(source: str, found: list[str]) -> None:
    """Older Pythons' tokens leave out what is inside an f-string, the syntax tree of none does."""
    assert sorted(spoken(source), key=str) == sorted(found, key=str)


@pytest.mark.parametrize("path", LANGUAGES, ids=lambda path: path.parents[1].name)
class TestALanguage:
    def test_it_has_every_text_and_no_other(self, path: Path) -> None:
        assert {message.id for message in messages(catalogue(path))} == {message.id for message in messages(template())}

    def test_every_text_is_translated_in_all_its_forms(self, path: Path) -> None:
        found = catalogue(path)
        for message in messages(found):
            count = found.num_plurals if isinstance(message.id, tuple | list) else 1
            assert len(forms(message.string)) == count, called(message)
            assert all(forms(message.string)), called(message)
            assert not message.fuzzy, called(message)

    def test_named_places_are_the_same(self, path: Path) -> None:
        for message in messages(catalogue(path)):
            said = [places(form) for form in forms(message.id)]
            told = [places(form) for form in forms(message.string)]
            assert told[-1] == said[-1], called(message)
            assert all(names in said for names in told), called(message)

    def test_a_space_at_an_edge_stays(self, path: Path) -> None:
        for message in messages(catalogue(path)):
            edge = edges(forms(message.id)[-1])
            assert all(edges(form) == edge for form in forms(message.string)), called(message)

    def test_names_of_cards_and_tokens_in_the_data_stay(self, path: Path) -> None:
        """Sentences of the engine have them in their places, and scenes put the printed title there."""
        told = {message.id: message.string for message in messages(catalogue(path))}
        mode = load_board(BOARD).mode
        assert {name: told.get(name, name) for name in (*mode.cards, *mode.bonuses)} == {
            name: name for name in (*mode.cards, *mode.bonuses)
        }

    def test_it_is_offered_by_its_own_name(self, path: Path) -> None:
        code = path.parents[1].name
        assert languages()[code] not in (code, "English")


def test_a_folder_is_enough_for_a_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = template()
    told = {"English": "Esperanto", "Undo": "Malfari"}
    for message in messages(found):
        if isinstance(message.id, tuple):
            message.string = ("{n} karto", "{n} kartoj") if message.id[0] == "{n} card" else ("", "")
        else:
            message.string = told.get(str(message.id), "")
    path = tmp_path / "eo" / language.FILE
    path.parent.mkdir(parents=True)
    path.write_bytes(written(found))
    monkeypatch.setattr(language, "CATALOGUES", tmp_path)
    languages.cache_clear()
    try:
        assert languages() == {"en": "English", "eo": "Esperanto"}
        use_language("eo")
        assert _("Undo") == "Malfari"
        assert _("Confirm") == "Confirm", "a text without a translation stays English"
        assert plural("{n} card", "{n} cards", 2) == "2 kartoj"
    finally:
        languages.cache_clear()
        use_language("en")


def test_an_owner_s_own_language_takes_the_place_of_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of another name is none of theirs; a damaged one leaves English."""
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    head = (
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\nPlural-Forms: nplurals=2; plural=(n != 1);\\n"\n'
    )
    (tmp_path / language.OWN).mkdir()
    for name in ("pt_BR.po", "notes.po", "de.txt"):
        (tmp_path / language.OWN / name).write_text(f'{head}\nmsgid "Undo"\nmsgstr "Voltar"\n')
    (tmp_path / language.OWN / "de.po").write_bytes(b"\xff")
    languages.cache_clear()
    try:
        assert list(languages()) == ["en", "de", "pt_BR"]
        use_language("pt_BR")
        assert _("Undo") == "Voltar"
        use_language("de")
        assert _("Undo") == "Undo"
    finally:
        languages.cache_clear()
        use_language("en")
