"""The questions that people ask of a book, and the words of their language, are read as the tables have them."""

from engine.rulebook import load_questions, load_words


def test_questions_belong_to_the_entries_of_their_book() -> None:
    questions = load_questions("general-orders", "en")
    assert "which map should we start with" in questions["section:game-modes"]
    assert load_questions("sonae", "pt_BR").keys() != questions.keys()


def test_a_book_that_nobody_has_asked_about_has_no_questions() -> None:
    assert load_questions("general-orders", "eo") == {}
    assert load_questions("chess", "en") == {}


def test_a_language_has_common_words_likenesses_and_forms() -> None:
    words = load_words("en")
    assert words is not None
    assert {"what", "when"} <= words.common
    assert all(len(group) > 1 for group in words.alike)
    assert words.forms
    assert not words.common & words.forms.keys()
    assert load_words("eo") is None
