"""The criteria of a ruling, the most telling first, each with its message said once."""

from __future__ import annotations

import re

from companion.core.language import _
from engine.ruling import Finding, Ruling

PLAIN = frozenset(
    {"game", "turn", "commander", "space", "deploy", "area", "faction"}
)  # goes without saying: comes last
LATE = frozenset({"reserve.short", "place.whole", "card.held"})  # true, but seldom what the argument is about


def sort_findings(ruling: Ruling) -> list[Finding]:
    """Return a ruling's criteria, the deciding one first.

    Objections come before what holds; in both groups, what goes without saying comes last. Repetitions are left out,
    and so is a step's form if nothing is wrong with it.
    """
    telling = (finding for finding in ruling.findings if not (finding.holds and finding.rule.endswith(".form")))
    unlike = {(finding.rule, finding.holds, finding.message): finding for finding in telling}
    return sorted(unlike.values(), key=lambda finding: (finding.holds, _weight(finding)))


def _weight(finding: Finding) -> int:
    if finding.rule == "game.over" and not finding.holds:
        return -1
    return 2 if finding.rule.partition(".")[0] in PLAIN else 1 if finding.rule in LATE else 0


def bare_message(finding: Finding) -> str:
    """Return a criterion's message without the edition and readings in brackets, which are shown separately."""
    text = finding.message
    followed = _(finding.differs) if finding.differs else ""
    for note in filter(None, (*reversed(finding.also), followed, finding.reading)):
        text = re.sub(rf" \([^()]*{re.escape(note)}\)$", "", text)
    return text


def edition_note(finding: Finding) -> str:
    """Return a sentence that says which edition of the book a criterion follows; "" if the editions agree."""
    how = _(finding.differs)
    return f"{how[:1].upper()}{how[1:]}." if how else ""
