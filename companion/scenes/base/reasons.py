"""The criteria of a ruling in the order of their weight, and what is said of each once."""

from __future__ import annotations

import re

from companion.core.language import _
from engine.ruling import Finding, Ruling

PLAIN = frozenset(
    {"game", "turn", "commander", "space", "deploy", "area", "faction"}
)  # goes without saying: comes last
LATE = frozenset({"reserve.short", "place.whole", "card.held"})  # true, but seldom what the argument is about


def ordered(ruling: Ruling) -> list[Finding]:
    """Sort a ruling's criteria, the deciding one first.

    Objections come before what holds, and among each of them matters of course come last. What is said twice, and
    a form that is in order, is left out.
    """
    telling = (one for one in ruling.findings if not (one.holds and one.rule.endswith(".form")))
    unlike = {(one.rule, one.holds, one.message): one for one in telling}
    return sorted(unlike.values(), key=lambda one: (one.holds, _weight(one)))


def _weight(one: Finding) -> int:
    if one.rule == "game.over" and not one.holds:
        return -1
    return 2 if one.rule.partition(".")[0] in PLAIN else 1 if one.rule in LATE else 0


def bare(finding: Finding) -> str:
    """Remove the edition and the readings from a criterion's message, as they are shown separately."""
    text = finding.message
    followed = _(finding.differs) if finding.differs else ""
    for note in filter(None, (*reversed(finding.also), followed, finding.reading)):
        text = re.sub(rf" \([^()]*{re.escape(note)}\)$", "", text)
    return text


def of_editions(finding: Finding) -> str:
    """Say which edition of the book a criterion follows; "" if the editions agree."""
    how = _(finding.differs)
    return f"{how[:1].upper()}{how[1:]}." if how else ""
