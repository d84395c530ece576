"""Typing on the screen: letters, capitals, accents, rubbing out, done and cancel."""

from __future__ import annotations

import pytest

from companion.scenes.base.typing import Ask, Typed, TypingScene
from companion.ui.screen import Intent, Keys, Screen


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


def labels(keys: Keys) -> list[str]:
    return [key.label for row in keys.wide for key in row]


def press(typed: Typed, label: str) -> None:
    """Touch a key by what stands on it."""
    typed.touch(next(key.intent for row in typed.keys().wide for key in row if key.label == label))


def test_letters_come_one_after_the_other_and_are_rubbed_out() -> None:
    typed = Typed()
    assert write(typed, "map") == "map"
    assert typed.touch(Intent("type", "\b"))
    assert typed.text == "ma"
    assert not Typed().touch(Intent("type", "\b")), "nothing is left to rub out"


def test_names_begin_with_a_capital_on_the_keys() -> None:
    typed = Typed(names=True)
    for key in ("A", "n", "a", "space", "L", "i", "z"):
        press(typed, key)
    assert typed.text == "Ana Liz"


def test_the_shift_key_is_for_one_letter() -> None:
    typed = Typed("o")
    typed.touch(Intent("keys", "shift"))
    press(typed, "K")
    press(typed, "k")
    assert typed.text == "oKk"


@pytest.mark.parametrize("letter", "áàâãéêíóôõúüç")
def test_portuguese_is_written_in_two_touches_a_letter(letter: str) -> None:
    typed = Typed("x")
    press(typed, "áêç")
    press(typed, letter)
    press(typed, "q")
    assert typed.text == f"x{letter}q", "and the letters are there again"


def test_digits_stay_until_they_are_left() -> None:
    typed = Typed()
    press(typed, "123")
    press(typed, "1")
    press(typed, "2")
    press(typed, "123")
    assert typed.text == "12"
    assert "q" in labels(typed.keys())


def test_wide_and_narrow_keyboards_have_the_same_letters() -> None:
    typed = Typed()
    for page in ("letters", "accents", "signs"):
        typed.touch(Intent("keys", page))
        keys = typed.keys()
        wide, narrow = ({key.label for row in rows for key in row} for rows in (keys.wide, keys.narrow))
        assert wide <= narrow
        assert max(sum(key.span for key in row) for row in keys.narrow) <= 6.0


@pytest.mark.parametrize("what", ["", "ab", "\n", "\x07"])
def test_what_is_no_character_is_left_out(what: str) -> None:
    assert not Typed("a").touch(Intent("type", what))


def test_there_is_an_end_to_it() -> None:
    assert write(Typed("", 3), "abcd") == "abc"
    assert Typed("abcd", 3).text == "abc"


def test_spaces_stand_between_words_only() -> None:
    assert write(Typed(), " a  b") == "a b"


def test_an_unknown_page_changes_nothing() -> None:
    typed = Typed()
    before = typed.keys()
    assert not typed.touch(Intent("keys", "runes"))
    assert typed.keys() == before


class TestScene:
    def scene(self, **ask: object) -> tuple[TypingScene, list[str], Elsewhere, Elsewhere]:
        told: list[str] = []
        done, back = Elsewhere(), Elsewhere()

        def answer(text: str) -> Elsewhere:
            told.append(text)
            return done

        return TypingScene(Ask("Name", **ask), answer, back), told, done, back  # type: ignore[arg-type]

    def test_done_hands_over_the_text(self) -> None:
        scene, told, done, _back = self.scene()
        for letter in "Ana ":
            scene.touch(Intent("type", letter))
        assert scene.touch(Intent("done")) is done
        assert told == ["Ana"]

    def test_the_enter_key_is_done(self) -> None:
        scene, told, done, back = self.scene(text="Bia")
        assert scene.touch(Intent("cancel")) is back
        assert told == []
        assert scene.touch(Intent("type", "\n")) is done
        assert told == ["Bia"]

    def test_nothing_is_no_answer_unless_it_may_be(self) -> None:
        scene, told, _done, _back = self.scene()
        assert scene.show().actions[-1].look == "off"
        assert scene.touch(Intent("done")) is None
        assert told == []
        scene, told, done, _back = self.scene(empty=True)
        assert scene.touch(Intent("done")) is done
        assert told == [""]
