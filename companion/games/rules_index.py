"""The index of the rules: how well each entry answers what was typed.

Two measures are added. Of all the words of an entry (BM25 over its fields): does it speak of what was typed? Of each
question that leads to it, by itself: is that what was typed, in other words? Rare words count for more in both. A
section is raised by the best of its rules, cards and open questions.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from companion.games.rules_words import Spelling, tongues, words_of

EXACT, ALIKE, BEGUN, SLIP = 1.0, 0.6, 0.75, 0.8
"""What a word counts for that is the one typed, one like it, one that begins so, one that is a slip away."""
COMMON = 0.25
"""What a common word counts for beside others."""
SATURATION = 2.5
LENGTH = 0.35
"""BM25's k1 and b: how soon a word repeated says no more, how much is taken off long entries."""
QUESTION = 0.7
"""What a question counts for beside all the words of its entry."""
PART = 0.2
"""What the best part of an entry counts for beside the entry itself."""
LEAST = 0.15
"""Entries that answer less well than this part of the best aren't shown."""


@dataclass(frozen=True, slots=True)
class Document:
    """What can be found of one entry: its texts with their weights, and the questions that lead to it.

    boost: what an entry of its kind counts for beside others; parts: the keys of what is told there in detail.
    """

    fields: Sequence[tuple[str, float]]
    questions: Sequence[str]
    boost: float = 1.0
    parts: Sequence[str] = ()


class Index:
    """Documents by key, searched in a language and in English."""

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
                for stem in self._all_stems(words):
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

    def _all_stems(self, words: Iterable[str]) -> list[str]:
        return [stem for word in words for stem in self._stems(word)]

    def _stems(self, word: str) -> frozenset[str]:
        return frozenset(tongue.stem(word) for tongue in self.tongues)

    def _is_common(self, word: str) -> bool:
        return any(word in tongue.common for tongue in self.tongues)

    def _parted(self, words: Iterable[str]) -> tuple[frozenset[str], frozenset[str]]:
        """Split words into the stems of the telling ones and the common words themselves."""
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
        """Return {stem: how surely the word means it}: itself and those like it; for an unknown word the nearest."""
        if any(stem in self._weights for stem in self._stems(word)) or word in self._spelling.words:
            return self._with_alike(word, EXACT)
        meant: dict[str, float] = {}
        for near, surely in ((self._spelling.begun(word), BEGUN), (self._spelling.near(word), SLIP)):
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
        """Return the keys of what answers the query with how well, the best first."""
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
        """Return how rare the typed word is, or else the commonest stem of what it may mean."""
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
