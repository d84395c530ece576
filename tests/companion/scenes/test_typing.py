"""Typing on the screen: letters, capitals, accents, rubbing out, done and cancel."""

from __future__ import annotations

import pytest

from companion.scenes.base.typing import Ask, Typed, TypingScene
from companion.ui.screen import Intent, Screen


class Elsewhere:
    """A scene to go to."""

    def show(self) -> Screen:
        return Screen()

    def touch(self, _intent: Intent) -> None:
        pass


def write(typed: Typed, text: str) -> str:
    for letter in text:
        typed.touch(Intent("type", letter))
    return typed.text


def press(typed: Typed, *labels: str) -> str:
    """Touch keys by what stands on them; return the text."""
    for label in labels:
        typed.touch(next(key.intent for row in typed.keys().wide for key in row if key.label == label))
    return typed.text


@pytest.mark.parametrize(
    ("typed", "letters", "text"),
    [
        (Typed(), "map", "map"),
        (Typed(), "map\b", "ma"),
        (Typed("", 3), "abcd", "abc"),
        (Typed("abcd", 3), "", "abc"),
        (Typed(), " a  b", "a b"),  # spaces stand between words only
    ],
)
def test_letters_come_one_after_the_other_as_far_as_there_is_room(typed: Typed, letters: str, text: str) -> None:
    assert write(typed, letters) == text


@pytest.mark.parametrize("what", ["", "ab", "\n", "\x07"])
def test_what_is_no_character_is_left_out(what: str) -> None:
    assert not Typed("a").touch(Intent("type", what))


def test_touches_that_change_nothing_say_so() -> None:
    typed = Typed()
    before = typed.keys()
    assert not typed.touch(Intent("type", "\b")), "nothing is left to rub out"
    assert not typed.touch(Intent("keys", "runes"))
    assert typed.keys() == before


def test_names_begin_with_a_capital_and_the_shift_key_is_for_one_letter() -> None:
    assert press(Typed(names=True), "A", "n", "a", "space", "L", "i", "z") == "Ana Liz"
    typed = Typed("o")
    typed.touch(Intent("keys", "shift"))
    assert press(typed, "K", "k") == "oKk"


def test_digits_stay_until_they_are_left() -> None:
    assert press(Typed(), "123", "1", "2", "123", "q") == "12q"


@pytest.mark.parametrize("letter", "áàâãéêíóôõúüç")
def test_portuguese_is_written_in_two_touches_a_letter(letter: str) -> None:
    assert press(Typed("x"), "áêç", letter, "q") == f"x{letter}q", "and the letters are there again"


def test_wide_and_narrow_keyboards_have_the_same_letters() -> None:
    typed = Typed()
    for page in ("letters", "accents", "signs"):
        typed.touch(Intent("keys", page))
        keys = typed.keys()
        wide, narrow = ({key.label for row in rows for key in row} for rows in (keys.wide, keys.narrow))
        assert wide <= narrow
        assert max(sum(key.span for key in row) for row in keys.narrow) <= 6.0


def asked(**ask: object) -> tuple[TypingScene, list[str], Elsewhere, Elsewhere]:
    told: list[str] = []
    done, back = Elsewhere(), Elsewhere()

    def answer(text: str) -> Elsewhere:
        told.append(text)
        return done

    return TypingScene(Ask("Name", **ask), answer, back), told, done, back  # type: ignore[arg-type]


def test_done_hands_over_the_text_and_so_does_the_enter_key() -> None:
    scene, told, done, back = asked()
    for letter in "Ana ":
        scene.touch(Intent("type", letter))
    assert scene.touch(Intent("cancel")) is back
    assert told == []
    assert scene.touch(Intent("done")) is scene.touch(Intent("type", "\n")) is done
    assert told == ["Ana", "Ana"]


def test_nothing_is_no_answer_unless_it_may_be() -> None:
    scene, told, _done, _back = asked()
    assert scene.show().actions[-1].look == "off"
    assert scene.touch(Intent("done")) is None
    assert told == []
    scene, told, done, _back = asked(empty=True)
    assert scene.touch(Intent("done")) is done
    assert told == [""]
