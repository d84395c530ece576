"""Catalogues of texts, as translators write them and as they lie on a card that may have gone bad."""

from __future__ import annotations

import io
import random

import pytest
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po

from companion.core import language
from intake.errors import Unreadable
from intake.po_file import MOST_BYTES, parse_po

SOUND = (language.CATALOGUES / "pt_BR" / language.FILE).read_bytes()


def made(head: str, entries: str = "") -> bytes:
    """Return a small catalogue with this head and these entries."""
    return f'msgid ""\nmsgstr ""\n"{head}\\n"\n\n{entries}'.encode()


def plurals(rule: str) -> bytes:
    cards = 'msgid "one"\nmsgid_plural "many"\nmsgstr[0] "um"\nmsgstr[1] "muitos"\n'
    return made(f"Plural-Forms: nplurals=2; plural={rule};", cards)


def texts(*entries: str) -> bytes:
    return made("Language: eo", "\n".join(entries))


def test_a_sound_catalogue_is_read() -> None:
    sound = parse_po(SOUND)
    assert sound.gettext("Undo") == "Desfazer"
    assert sound.info()["language"] == "pt_BR"


def test_every_text_is_as_other_tools_read_it() -> None:
    compiled, sound = io.BytesIO(), parse_po(SOUND)
    write_mo(compiled, read_po(io.BytesIO(SOUND), locale="pt_BR"))
    compiled.seek(0)
    messages = [message for message in read_mo(compiled) if message.id]
    assert len(messages) > 4000
    for message in messages:
        if isinstance(message.id, tuple | list):
            one, many = message.id
            assert (sound.ngettext(one, many, 1), sound.ngettext(one, many, 2)) == tuple(message.string or ())
        else:
            assert sound.gettext(message.id) == message.string


@pytest.mark.parametrize(("rule", "told"), [("(n != 1)", ["muitos", "um"]), ("(n > 1)", ["um", "um"])])
def test_the_rule_for_plurals_is_the_catalogue_s(rule: str, told: list[str]) -> None:
    catalogue = parse_po(plurals(rule))
    assert [catalogue.ngettext("one", "many", n) for n in (0, 1)] == told
    assert catalogue.gettext("one") == "um"


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ('msgid "Undo"\nmsgstr "Malfari"', "Malfari"),
        ('#: a.py\n#, python-brace-format\n# fuzzy it is not\nmsgid "Undo"\nmsgstr "Malfari"', "Malfari"),
        ('msgid ""\n"Un"\n"do"\nmsgstr "Mal"\n"fari"', "Malfari"),
        ('msgid "Undo"\nmsgstr "\\"a\\"\\n\\tb\\\\n"', '"a"\n\tb\\n'),
        ('msgid "Undo"\r\nmsgstr "Mal"\r\n"fari"\r\n', "Malfari"),
        ('msgid "Undo"\nmsgstr ""', "Undo"),
        ('#, fuzzy\nmsgid "Undo"\nmsgstr "Malfari"', "Undo"),
        ('#, python-format, fuzzy\nmsgid "Undo"\nmsgstr "Malfari"', "Undo"),
        ('#~ msgid "Undo"\n#~ msgstr "Malfari"', "Undo"),
        ('msgid "Undo"\nmsgid_plural "Undo all"\nmsgstr[0] ""\nmsgstr[1] ""', "Undo"),
    ],
)
def test_a_text_is_told(entry: str, told: str) -> None:
    assert parse_po(texts(entry)).gettext("Undo") == told


def test_what_it_lacks_stays_english() -> None:
    catalogue = parse_po(texts('msgid "one"\nmsgid_plural "many"\nmsgstr[0] "unu"\nmsgstr[1] ""'))
    assert [catalogue.ngettext("one", "many", n) for n in (1, 2)] == ["unu", "many"]
    assert [catalogue.ngettext("a", "b", n) for n in (1, 2)] == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "told", "taken"),
    [
        ("{who} wins", "{who} venkas", True),
        ("{who} wins", "venkite", True),
        ("{n} of {most}", "{most}: {n}, {n}", True),
        ("Undo", "Malfari", True),
        ('a step: {\\"deploy\\": {\\"d5\\": 2}}', "{pa{s}o", True),
        ("{who} wins", "{wer} venkas", False),
        ("{who} wins", "{who.__class__} venkas", False),
        ("{who} wins", "{who:>999999999} venkas", False),
        ("{who} wins", "{who!r} venkas", False),
        ("{who} wins", "{} venkas", False),
        ("{who} wins", "{who venkas", False),
        ("{who} wins", "who} venkas", False),
        ("Undo", "{x.__class__}", False),
    ],
)
def test_a_translation_with_places_of_its_own_is_none(text: str, told: str, taken: bool) -> None:
    """Whoever fills it in would fail, or show what nobody meant to."""
    catalogue, plain = parse_po(texts(f'msgid "{text}"\nmsgstr "{told}"\n')), text.replace("\\", "")
    assert (catalogue.gettext(plain) == told) == taken
    assert taken or catalogue.gettext(plain) == plain


def test_a_form_with_places_of_its_own_is_none() -> None:
    form = 'msgid "one card"\nmsgid_plural "{n} cards"\nmsgstr[0] "unu karto"\nmsgstr[1] "%s kartoj"'
    for places, told in (("{n}", "{n} kartoj"), ("{m}", "{n} cards")):
        catalogue = parse_po(texts(form % places))
        assert [catalogue.ngettext("one card", "{n} cards", n) for n in (1, 2)] == ["unu karto", told]


@pytest.mark.parametrize("line", ["\n", "#\n", '"\n', 'msgid "a"\n', 'msgstr[1] "a"\n'])
def test_a_huge_one_that_is_none_is_refused_at_once(line: str) -> None:
    """Not after looking for a text behind each of its lines."""
    with pytest.raises(Unreadable, match="not a text catalogue"):
        parse_po(line.encode() * (MOST_BYTES // 8 // len(line)))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n# nothing but a comment\n",
        b"no catalogue",
        SOUND.rpartition(b'"')[0],
        SOUND + b"\xff",
        SOUND + b'msgid "Undo"\n',
        texts('msgid "Undo"', 'msgid "Redo"\nmsgstr "Refari"'),
        texts('msgid "Undo\nmsgstr "Malfari"'),
        texts('msgctxt "menu"\nmsgid "Undo"\nmsgstr "Malfari"'),
        plurals("n%0"),
        plurals("1/n"),
        plurals("n +"),
        plurals("__import__"),
        plurals("(" * 400 + "n" + ")" * 400),
        plurals("9" * 5000),
        made("Plural-Forms: "),
    ],
)
def test_what_is_none_is_refused(data: bytes) -> None:
    with pytest.raises(Unreadable, match=r"^not a text (catalogue, or damaged|file) \("):
        parse_po(data)


def test_a_damaged_one_is_read_or_refused() -> None:
    chance, refused = random.Random(1), 0
    for _round in range(200):
        data = bytearray(SOUND[:2000])
        for _byte in range(chance.randint(1, 4)):
            data[chance.randrange(600)] = chance.randrange(256)
        try:
            parse_po(bytes(data))
        except Unreadable:
            refused += 1
    assert refused
