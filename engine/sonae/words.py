"""What is owed, statuses and endings, in words."""

from __future__ import annotations

from engine.sonae.position import Due, Position
from engine.words import joined, mark, say

_DUES = {
    "settle": mark("{who}'s general encamps or mounts"),
    "messenger": mark("{who} rolls for the messenger"),
    "intercept": mark("{who} rolls against the messenger"),
    "token": mark("a token is drawn from the bag"),
    "activate": mark("{who} names the division that acts"),
    "orders": mark("{who} rolls one die for the number of orders"),
    "fire": mark("{who} rolls the fire of {units} at {against}"),
    "reply": mark("{who} rolls the fire of {units} back at {against}"),
    "morale": mark("{who} tests the Morale of {units}"),
    "opportunity": mark("{who} says whether {units} uses Opportunity Fire at {against}"),
    "opportunity-fire": mark("{who} rolls the Opportunity Fire of {units} at {against}"),
    "nerve": mark("{who} tests the Morale of {units} before it charges"),
    "closing": mark("{who} says whether {units} uses Closing Fire at {against}"),
    "closing-fire": mark("{who} rolls the Closing Fire of {units} at {against}"),
    "closing-morale": mark("{who} tests the Morale of {units} under Closing Fire"),
    "retreat": mark("{who} tests the Morale of {units}, which fell back from combat"),
    "strain": mark("{who} tests the Morale of {units} after so many orders"),
    "rally": mark("{who} rolls for the rally of {units}"),
    "melee": mark("{who} rolls the melee of {units} against {against}"),
    "blocked": mark("{who} tests the Morale of {units}, which cannot fall back"),
    "shock": mark("{who} rolls the shock of {units} against {against}"),
    "heir": mark("{who} tests whether {units} succeeds the commander"),
    "regent": mark("{who} tests whether {units} succeeds the Army General"),
    "loyalty": mark("{who} tests the loyalty of {units} without its commander"),
}
_REASONS = {
    "": "",
    "general": mark("the Army General was lost"),
    "army": mark("an army has no unit left"),
    "objective": mark("the objective was held at the end"),
    "strength": mark("the objective was nobody's, and more units were left"),
    "agreed": mark("the players agreed on it"),
}
REASONS = tuple(_REASONS)
STATUS_WORDS = {"fresh": mark("fresh"), "wavering": mark("wavering"), "brittle": mark("brittle")}


def due_words(position: Position, due: Due) -> str:
    """One thing that the table owes, in a sentence."""
    who = position.scenario.armies[due.by].title if due.by >= 0 else ""
    kinds = position.scenario.units  # a messenger goes to a division, which has its name alone
    units, against = (
        joined(kinds[name].title if name in kinds else name for name in names) if names else ""
        for names in (due.units, due.against)
    )
    return say(_DUES[due.kind], who=who, units=units, against=against)


def reason_words(reason: str) -> str:
    """Why the battle ended."""
    return say(_REASONS[reason])
