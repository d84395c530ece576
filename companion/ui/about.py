"""What a long touch explains: one thing on the screen, by its name."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Explanation:
    """What something is called, what it is in one to three sentences, and where the book has it, "" for nowhere."""

    title: str
    text: str
    cite: str = ""
