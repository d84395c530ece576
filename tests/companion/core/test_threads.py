"""Language and edition: each thread has its own, and work in the background speaks as whoever began it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from companion.core.background import Errand
from companion.core.language import _, plural, speaking
from engine.ruling import Citation, cited_from
from engine.words import count_words

PLACE = Citation("Land Conflicts", 18, Citation("Combates Terrestres", 20))
ENGLISH = ("Undo", "2 cards", "2 red troops", "Land Conflicts, p. 18")
PORTUGUESE = ("Desfazer", "2 cartas", "2 tropas vermelhas", "Combates Terrestres, p. 20")


def words() -> tuple[str, str, str, str]:
    return _("Undo"), plural("{n} card", "{n} cards", 2), count_words(2, "troop", "red"), str(PLACE)


def test_two_threads_speak_two_languages_at_once() -> None:
    both = Barrier(2)

    def spoken(language: str, edition: str) -> list[tuple[str, ...]]:
        heard: list[tuple[str, ...]] = []
        with speaking(language), cited_from(edition):
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
    for language, edition in (("pt_BR", "pt"), ("en", "en")):
        with speaking(language), cited_from(edition):
            errand.begin(words)
        errand.wait()
        heard.append(errand.fetch())
    errand.close()
    assert heard == [PORTUGUESE, ENGLISH]
