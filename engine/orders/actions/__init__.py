"""What deploying to an action space does, a module for each verb of the closed set that modes are written in.

A verb says what a space offers, judges a deployment and carries it out on a draft. Advance, Sail and Fly are one verb
with other settings, so that they cannot differ by accident.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from engine.orders.actions import draw, drop, fire, move, muster
from engine.orders.board import Space
from engine.orders.draft import Draft
from engine.orders.mode import Card
from engine.orders.position import Option, Outlook
from engine.orders.steps import Deploy
from engine.ruling import Hearing


class Verb(Protocol):
    """One kind of action: what a space offers, whether a deployment follows the rules, and how it is carried out."""

    def option(self, outlook: Outlook, space: Space, /) -> Option | None:
        """Return what the space offers without any card; None if its deployment criteria are not met."""

    def judge(self, hearing: Hearing, outlook: Outlook, step: Deploy, cards: Sequence[Card], /) -> None:
        """Judge every criterion of a deployment with the cards named in it."""

    def perform(self, draft: Draft, outlook: Outlook, step: Deploy, /) -> None:
        """Carry out a legal deployment and leave the turn at its next stage."""


VERBS: Mapping[str, Verb] = {"move": move, "shoot": fire, "drop": drop, "place": muster, "draw": draw}
