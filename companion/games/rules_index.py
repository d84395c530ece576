"""The search index of the rules: scores how well each entry answers what was typed.

Two measures are added. Of all the words of an entry (BM25 over its fields): does it speak of what was typed? Of each
question that leads to it, by itself: is that what was typed, in other words? Rare words count for more in both. A
section is raised by the best of its rules, cards and open questions.

Words are compared by their stems, by words that mean the same, and forgiving a slip. Stems need not be words: they only
have to be the same for every form of one ("moved", "moving" and "move" are "mov").
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from engine.rulebook import load_words

# --- words --------------------------------------------------------------------------------

SHORTEST_STEM = 3
LONGEST_OWN_LL = 5
"""A longer word that ends in -ll doubled its l for an ending: "controll", but not "shell"."""
SLIP_LETTERS = 4
"""Shorter words are not searched for slips."""

_WORD = re.compile(r"[a-z0-9]+")
_VOWELS = frozenset("aeiou")


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case, without accents or the English possessive 's.

    >>> words_of("Siege Weapons, daimyō's Abastecimento à vista")
    ['siege', 'weapons', 'daimyo', 'abastecimento', 'a', 'vista']
    """
    plain = text.replace("’s", "").replace("'s", "").casefold()
    if not plain.isascii():
        plain = "".join(c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c))
    return _WORD.findall(plain)


def english_stem(word: str) -> str:
    """Return the stem of an English word, equal for all its forms and spellings.

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
    """Return whether the last letter was doubled only for the ending: "stopp", but not "add" or "roll"."""
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
"""How the end of a stem is written before e and i, and elsewhere."""


def portuguese_stem(word: str) -> str:
    """Return the stem of a Portuguese word written without accents, equal for all its forms.

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
    """One language's words: how they are stemmed, which are common, and which mean the same."""

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
        """Return the stem of a word, remembering it."""
        if word not in self._stems:
            self._stems[word] = self._stem(self._forms.get(word, word))
        return self._stems[word]

    def alike(self, stem: str) -> frozenset[str]:
        """Return the stems that mean the same as this one, without itself."""
        return frozenset(self._alike.get(stem, ())) - {stem}


@cache
def tongues(language: str) -> tuple[Tongue, ...]:
    """Return the languages to search for somebody who speaks this one: theirs, then English."""
    return tuple(Tongue(code) for code in dict.fromkeys((language, "en")))


class Spelling:
    """Finds known words from what was typed: only their beginning, or a misspelling."""

    def __init__(self, words: Iterable[str]) -> None:
        self.words = frozenset(words)
        self._near: dict[str, list[str]] = defaultdict(list)
        for word in sorted(self.words):
            for shorter in _without_a_letter(word):
                self._near[shorter].append(word)

    def beginning_with(self, typed: str) -> list[str]:
        """Return the words that begin with what was typed, in order; none for a single letter."""
        return sorted(word for word in self.words if word.startswith(typed)) if len(typed) > 1 else []

    def near(self, typed: str) -> list[str]:
        """Return the words one typing slip away: a letter too few, too many or wrong, or two neighbours swapped."""
        if len(typed) < SLIP_LETTERS:
            return []
        beside = {word for shorter in _without_a_letter(typed) for word in self._near.get(shorter, ())}
        return sorted(word for word in beside if len(word) >= SLIP_LETTERS and one_slip(typed, word))


@lru_cache(maxsize=64)
def _without_a_letter(word: str) -> frozenset[str]:
    """Return the word itself and every form of it with one letter removed."""
    return frozenset({word, *(word[:n] + word[n + 1 :] for n in range(len(word)))})


def one_slip(typed: str, word: str) -> bool:
    """Return whether at most one letter was added, dropped, changed or swapped with its neighbour.

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


# --- the index ----------------------------------------------------------------------------

EXACT, ALIKE, BEGUN, SLIP = 1.0, 0.6, 0.75, 0.8
"""The weights of a word that is the one typed, a synonym, one that begins like it, or one a slip away."""
COMMON = 0.25
"""The weight of a common word; any other weighs its rarity."""
SATURATION = 2.5
LENGTH = 0.35
"""BM25's k1 and b: how soon repeats of a word stop counting, how much long entries are penalised."""
QUESTION = 0.7
"""The weight of an entry's closest question; all its words together weigh 1."""
PART = 0.2
"""The weight of the best part of an entry; the entry itself weighs 1."""
LEAST = 0.15
"""Entries that score less than this share of the best are left out."""


@dataclass(frozen=True, slots=True)
class Document:
    """What a search looks at in one entry: its texts with their weights, and the questions that lead to it.

    boost: a factor on its score; parts: the keys of documents that tell details of this one.
    """

    fields: Sequence[tuple[str, float]]
    questions: Sequence[str]
    boost: float = 1.0
    parts: Sequence[str] = ()


class Index:
    """A search index over documents by key, in one language and in English."""

    def __init__(self, documents: Mapping[str, Document], language: str) -> None:
        self.tongues = tongues(language)
        self._boost = {key: document.boost for key, document in documents.items()}
        self._parts = {key: document.parts for key, document in documents.items() if document.parts}
        self._weights: dict[str, dict[str, float]] = defaultdict(dict)
        """{stem: {key: what it counts for there}}"""
        self._questions: list[tuple[str, frozenset[str], frozenset[str]]] = []
        """(key, stems, common stems) of each question"""
        seen: set[str] = set()
        for key, document in documents.items():
            lines = [(text, weight, words_of(text)) for text, weight in document.fields]
            lines += [(text, 0.0, words_of(text)) for text in document.questions]
            for text, weight, words in lines:
                seen.update(words)
                for stem in (stem for word in words for stem in self._stems(word)):
                    self._weights[stem][key] = self._weights[stem].get(key, 0.0) + weight
                if text in document.questions:
                    self._questions.append((key, *self._parted(words)))
        self._count = max(1, len(documents))
        self._length = self._lengths()
        self._where: dict[str, list[int]] = defaultdict(list)
        for number, (_key, stems, _common) in enumerate(self._questions):
            for stem in stems:
                self._where[stem].append(number)
        self._total = [sum(map(self._rarity, stems)) + COMMON * len(common) for _key, stems, common in self._questions]
        self._spelling = Spelling(seen.union(*(tongue.known for tongue in self.tongues)))

    def _lengths(self) -> dict[str, float]:
        """Return {key: its length relative to the mean}."""
        length: dict[str, float] = defaultdict(float)
        for hits in self._weights.values():
            for key, weight in hits.items():
                length[key] += weight
        mean = sum(length.values()) / self._count or 1.0
        return {key: whole / mean for key, whole in length.items()}

    def _stems(self, word: str) -> frozenset[str]:
        return frozenset(tongue.stem(word) for tongue in self.tongues)

    def _is_common(self, word: str) -> bool:
        return any(word in tongue.common for tongue in self.tongues)

    def _parted(self, words: Iterable[str]) -> tuple[frozenset[str], frozenset[str]]:
        """Split words into the stems of the significant ones and the common words as they are."""
        telling, common = set(), set()
        for word in words:
            if self._is_common(word):
                common.add(word)
            else:
                telling.add(self.tongues[0].stem(word))
        return frozenset(telling), frozenset(common)

    def _rarity(self, stem: str) -> float:
        """Return a stem's inverse document frequency (BM25); a stem found nowhere is as rare as one can be."""
        found = len(self._weights.get(stem, ()))
        return math.log(1.0 + (self._count - found + 0.5) / (found + 0.5))

    def _meant(self, word: str) -> dict[str, float]:
        """Return {stem: how surely the word means it}: its own and its synonyms'; for an unknown word the nearest's."""
        if any(stem in self._weights for stem in self._stems(word)) or word in self._spelling.words:
            return self._with_alike(word, EXACT)
        meant: dict[str, float] = {}
        for near, surely in ((self._spelling.beginning_with(word), BEGUN), (self._spelling.near(word), SLIP)):
            for other in near:
                for stem, part in self._with_alike(other, surely).items():
                    meant[stem] = max(part, meant.get(stem, 0.0))
        return meant

    def _with_alike(self, word: str, surely: float) -> dict[str, float]:
        meant: dict[str, float] = {}
        for tongue in self.tongues:
            stem = tongue.stem(word)
            meant |= {other: surely * ALIKE for other in tongue.alike(stem) if other not in meant}
        return meant | dict.fromkeys(self._stems(word), surely)

    def search(self, query: str) -> list[tuple[str, float]]:
        """Return (key, score) of the documents that answer the query, the best first; weak ones are left out."""
        words = words_of(query)
        asked = [word for word in dict.fromkeys(words) if not self._is_common(word)]
        common = frozenset(words) - frozenset(asked) if asked else frozenset()
        meanings = [meant for word in asked or words if (meant := self._meant(word))]
        whole = sum(map(self._worth, meanings))
        if not whole:
            return []
        scores = self._by_words(meanings, whole)
        for key, alike in self._by_questions(meanings, whole, common).items():
            scores[key] = scores.get(key, 0.0) + QUESTION * alike
        for key in scores:
            scores[key] *= self._boost[key]
        ranked = sorted(self._with_parts(scores).items(), key=lambda found: -found[1])
        return [(key, score) for key, score in ranked if score >= LEAST * ranked[0][1]]

    def _with_parts(self, scores: Mapping[str, float]) -> dict[str, float]:
        """Return the scores, raised where a part of the entry answers: what a rule says, its section says too."""
        raised = {
            key: scores.get(key, 0.0) + PART * best
            for key, parts in self._parts.items()
            if (best := max((scores.get(part, 0.0) for part in parts), default=0.0))
        }
        return {**scores, **raised}

    def _worth(self, meant: Mapping[str, float]) -> float:
        """Return the rarity of the commonest stem a typed word may mean; synonyms count only if there is no other."""
        known = [self._rarity(stem) for stem, surely in meant.items() if stem in self._weights and surely != ALIKE]
        return min(known, default=0.0) or min(
            (self._rarity(stem) for stem in meant if stem in self._weights), default=0.0
        )

    def _by_words(self, meanings: Sequence[Mapping[str, float]], whole: float) -> dict[str, float]:
        """Return {key: the share of the typed words that its text covers}."""
        scores: dict[str, float] = defaultdict(float)
        for meant in meanings:
            best: dict[str, float] = {}
            for stem, surely in meant.items():
                for key, weight in self._weights.get(stem, {}).items():
                    stretch = SATURATION * (1.0 - LENGTH + LENGTH * self._length[key])
                    best[key] = max(best.get(key, 0.0), surely * weight * (SATURATION + 1.0) / (weight + stretch))
            worth = self._worth(meant)
            for key, part in best.items():
                scores[key] += worth * part / (SATURATION + 1.0)
        return {key: score / whole for key, score in scores.items()}

    def _by_questions(
        self, meanings: Sequence[Mapping[str, float]], whole: float, common: frozenset[str]
    ) -> dict[str, float]:
        """Return {key: how much the closest of its questions resembles what was typed}."""
        shared: dict[int, float] = defaultdict(float)
        for meant in meanings:
            worth = self._worth(meant)
            best: dict[int, float] = {}
            for stem, surely in meant.items():
                for number in self._where.get(stem, ()):
                    best[number] = max(best.get(number, 0.0), surely)
            for number, part in best.items():
                shared[number] += worth * part
        likest: dict[str, float] = {}
        size = whole + COMMON * len(common)
        for number, overlap in shared.items():
            key, _stems, also = self._questions[number]
            both = overlap + COMMON * len(also & common)
            likest[key] = max(likest.get(key, 0.0), both * both / (size * max(self._total[number], both)))
        return likest
