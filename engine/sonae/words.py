"""What is owed, statuses and endings, in words."""

from __future__ import annotations

from engine.sonae.position import Due, Position
from engine.words import join_words, mark, say

_DUES = {
    "settle": mark("{who} chooses whether the general is Encamped or Mobile"),
    "messenger": mark("{who} rolls for the messenger"),
    "intercept": mark("{who} rolls against the messenger"),
    "token": mark("draw a token from the bag"),
    "activate": mark("{who} chooses a division to activate"),
    "orders": mark("{who} rolls one die for orders"),
    "fire": mark("{who} rolls for {units} firing at {against}"),
    "reply": mark("{who} rolls for {units} firing back at {against}"),
    "morale": mark("{who} tests Morale for {units}"),
    "opportunity": mark("{who} decides whether {units} uses Opportunity Fire on {against}"),
    "opportunity-fire": mark("{who} rolls Opportunity Fire from {units} at {against}"),
    "nerve": mark("{who} tests Morale for {units} before the charge"),
    "closing": mark("{who} decides whether {units} uses Closing Fire on {against}"),
    "closing-fire": mark("{who} rolls Closing Fire from {units} at {against}"),
    "closing-morale": mark("{who} tests Morale for {units} under Closing Fire"),
    "retreat": mark("{who} tests Morale for {units} after falling back from combat"),
    "strain": mark("{who} tests Morale for {units} after so many orders"),
    "rally": mark("{who} rolls to rally {units}"),
    "melee": mark("{who} rolls Melee for {units} against {against}"),
    "blocked": mark("{who} tests Morale for {units}, unable to fall back"),
    "shock": mark("{who} rolls Shock for {units} against {against}"),
    "heir": mark("{who} tests whether {units} takes over as commander"),
    "regent": mark("{who} tests whether {units} takes over as Army General"),
    "loyalty": mark("{who} tests the loyalty of {units} after losing its commander"),
}
_REASONS = {
    "": "",
    "general": mark("the enemy Army General fell"),
    "army": mark("the enemy has no units left"),
    "objective": mark("held the objective at the end"),
    "strength": mark("nobody held the objective; more units left"),
    "agreed": mark("agreed by the players"),
}
REASONS = tuple(_REASONS)
STATUS_WORDS = {"fresh": mark("fresh"), "wavering": mark("wavering"), "brittle": mark("brittle")}


def due_words(position: Position, due: Due) -> str:
    """Say one thing that the table owes, in a sentence."""
    who = say(position.scenario.armies[due.by].title) if due.by >= 0 else ""
    kinds = position.scenario.units  # a messenger goes to a division, which has its name alone
    units, against = (
        join_words(say(kinds[name].title) if name in kinds else name for name in names) if names else ""
        for names in (due.units, due.against)
    )
    return say(_DUES[due.kind], who=who, units=units, against=against)


def reason_words(reason: str) -> str:
    """Say why the battle ended."""
    return say(_REASONS[reason])
