"""Words as a search of the rules compares them: stems, words that mean the same, and words typed with a slip.

Stems need not be words: they only have to be the same for every form of one ("moved", "moving" and "move" are "mov").
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache

from engine.rulebook import load_words

SHORTEST_STEM = 3
LONGEST_OWN_LL = 5
"""A longer word in -ll has doubled its l for an ending: "controll", but "shell"."""
SLIP_LETTERS = 4
"""Shorter words are taken as they are typed."""

_WORD = re.compile(r"[a-z0-9]+")
_VOWELS = frozenset("aeiou")


def words_of(text: str) -> list[str]:
    """Return the words of a text in small letters, without accents and the English genitive.

    >>> words_of("Siege Weapons, daimyō's Abastecimento à vista")
    ['siege', 'weapons', 'daimyo', 'abastecimento', 'a', 'vista']
    """
    plain = text.replace("’s", "").replace("'s", "").casefold()
    if not plain.isascii():
        plain = "".join(c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c))
    return _WORD.findall(plain)


def english_stem(word: str) -> str:
    """Return what the forms of an English word have in common.

    >>> [english_stem(word) for word in ("supplied", "move", "moving", "bosses", "mobilize", "harbours", "us")]
    ['supply', 'mov', 'mov', 'boss', 'mobilis', 'harbor', 'us']
    >>> [english_stem(word) for word in ("rolled", "controlled", "stopped", "adding")]
    ['roll', 'control', 'stop', 'add']
    """
    if len(word) <= SHORTEST_STEM or not word.isalpha():
        return word
    if word.endswith(("ies", "ied")):
        word = word[:-3] + "y"
    elif word.endswith(("sses", "xes", "zes", "ches", "shes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= SHORTEST_STEM and not _VOWELS.isdisjoint(rest):
            word = rest[:-1] if _doubles_its_end(rest) else rest
            break
    if len(word) > SHORTEST_STEM:
        word = word.removesuffix("e").replace("our", "or")
    return word[:-2] + "is" if word.endswith("iz") else word


def _doubles_its_end(rest: str) -> bool:
    """Return whether the last letter is there twice for the ending's sake alone: "stopp", but not "add" or "roll"."""
    if rest[-1] != rest[-2] or len(rest) == SHORTEST_STEM:
        return False
    return rest[-1] not in "lsz" or (rest[-1] == "l" and len(rest) > LONGEST_OWN_LL)


_PLURALS = (("oes", "ao"), ("aes", "ao"), ("ais", "al"), ("eis", "el"), ("ns", "m"), ("res", "r"), ("s", ""))
_ENDINGS = (
    *("amentos", "imentos", "amento", "imento", "mente", "acoes", "acao", "icao", "adores", "edores", "ador", "edor"),
    *("assem", "essem", "aremos", "ariam", "avam", "aram", "eram", "iram", "ando", "endo", "indo", "amos", "emos"),
    *("adas", "ados", "idas", "idos", "ada", "ado", "ida", "ido", "arei", "erei", "irei", "ava", "ara", "era", "ira"),
    *("agem", "ante", "ou", "ei", "eu", "iu", "ar", "er", "ir", "am", "em", "a", "e", "i", "o"),
)
_HARD = (("qu", "c"), ("gu", "g"))
"""How a stem's end is written before e and i, and otherwise."""


def portuguese_stem(word: str) -> str:
    """Return what the forms of a Portuguese word, written without accents, have in common.

    >>> [portuguese_stem(word) for word in ("navios", "abastecida", "abastecimento", "rolar", "rolou", "canhoes")]
    ['navi', 'abastec', 'abastec', 'rol', 'rol', 'canha']
    >>> [portuguese_stem(word) for word in ("atacar", "ataquei", "pego", "peguei", "mover", "movi", "rolagem")]
    ['atac', 'atac', 'peg', 'peg', 'mov', 'mov', 'rol']
    """
    for plural, single in _PLURALS:
        rest = word.removesuffix(plural)
        if rest != word and len(rest) >= SHORTEST_STEM - 1 and len(word) > SHORTEST_STEM:
            word = rest + single
            break
    for ending in _ENDINGS:
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= SHORTEST_STEM:
            return next((rest[:-2] + hard for soft, hard in _HARD if rest.endswith(soft)), rest)
    return word


_STEM: Mapping[str, Callable[[str], str]] = {"en": english_stem, "pt_BR": portuguese_stem}


class Tongue:
    """One language: its stems, its common words and the stems that stand for one another."""

    def __init__(self, language: str) -> None:
        words = load_words(language)
        self._stem = _STEM.get(language, str)
        self._forms = words.forms if words else {}
        self._stems: dict[str, str] = {}
        self.common = words.common if words else frozenset()
        self.known: set[str] = set()
        self._alike: dict[str, set[str]] = defaultdict(set)
        for group in words.alike if words else ():
            self.known.update(group)
            stems = {self.stem(word) for word in group}
            for stem in stems:
                self._alike[stem] |= stems

    def stem(self, word: str) -> str:
        """Return the stem of a word."""
        if word not in self._stems:
            self._stems[word] = self._stem(self._forms.get(word, word))
        return self._stems[word]

    def alike(self, stem: str) -> frozenset[str]:
        """Return the stems that stand for this one, without itself."""
        return frozenset(self._alike.get(stem, ())) - {stem}


@cache
def tongues(language: str) -> tuple[Tongue, ...]:
    """Return the languages that are searched for people who speak this one: theirs, and English, as the data has it."""
    return tuple(Tongue(code) for code in dict.fromkeys((language, "en")))


class Spelling:
    """Finds the words of a text that somebody meant who typed only their beginning, or made a slip."""

    def __init__(self, words: Iterable[str]) -> None:
        self.words = frozenset(words)
        self._near: dict[str, list[str]] = defaultdict(list)
        for word in sorted(self.words):
            for shorter in _without_a_letter(word):
                self._near[shorter].append(word)

    def begun(self, typed: str) -> list[str]:
        """Return the words that begin so."""
        return sorted(word for word in self.words if word.startswith(typed)) if len(typed) > 1 else []

    def near(self, typed: str) -> list[str]:
        """Return the words one slip away: a letter too few, too many, wrong, or two of them swapped."""
        if len(typed) < SLIP_LETTERS:
            return []
        beside = {word for shorter in _without_a_letter(typed) for word in self._near.get(shorter, ())}
        return sorted(word for word in beside if len(word) >= SLIP_LETTERS and one_slip(typed, word))


@lru_cache(maxsize=64)
def _without_a_letter(word: str) -> frozenset[str]:
    """Return the word itself and every form of it with one letter removed."""
    return frozenset({word, *(word[:n] + word[n + 1 :] for n in range(len(word)))})


def one_slip(typed: str, word: str) -> bool:
    """Return whether a word becomes another by one letter more, less or else, or by two neighbours swapped.

    >>> one_slip("suplly", "supply"), one_slip("oponent", "opponent"), one_slip("palne", "plane"), one_slip("a", "bcd")
    (True, True, True, False)
    """
    if len(typed) > len(word):
        typed, word = word, typed
    same = next((n for n, (letter, other) in enumerate(zip(typed, word, strict=False)) if letter != other), len(typed))
    if len(typed) < len(word):
        return typed[same:] == word[same + 1 :]
    rest, other = typed[same:], word[same:]
    return rest[1:] == other[1:] or (rest[:2] == other[1::-1] and rest[2:] == other[2:])
