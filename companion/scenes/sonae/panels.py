"""What the panels of a battle share: a form that gathers one step, judged with every touch."""

from __future__ import annotations

from dataclasses import replace

from companion.scenes.base.panels import Close, Face, Offer, Reply, Why
from companion.scenes.base.reasons import bare
from companion.scenes.sonae.picture import SEATS, Sketch, field_picture
from companion.text.orders import sentence
from companion.text.sonae import with_titles
from companion.ui.screen import Block, Button, Intent, Look, Prompt, Text, confirm_button
from engine.ruling import Finding, Ruling
from engine.sonae import game
from engine.sonae.position import Position
from engine.sonae.steps import Step


def objection_words(position: Position, finding: Finding) -> str:
    """Return the reason against a step, and where it is written."""
    return f"{why_words(position, finding)} ({finding.citation})"


def why_words(position: Position, finding: Finding) -> str:
    """Return the reason against a step, with the names that players know."""
    return sentence(with_titles(position, bare(finding)))


def prompt(side: int, text: str, hint: str = "") -> Prompt:
    """Return a heading for whom the table waits for, in that side's colour.

    What the table waits for from either side is a title, in nobody's colour.
    """
    return Prompt(SEATS[side], text, hint)


def without_buttons(face: Face, *verbs: str) -> Face:
    """Return the panel without the buttons of these verbs, for when there is half the room."""
    return replace(face, actions=tuple(action for action in face.actions if action.intent.verb not in verbs))


class FieldPanel:
    """A panel beside the field."""

    def __init__(self, position: Position) -> None:
        self.position = position

    def face(self, blocks: tuple[Block, ...], actions: tuple[Button, ...], sketch: Sketch) -> Face:
        """Return the panel beside the field, with what the panel draws on the field."""
        return Face(blocks, actions, picture=field_picture(self.position, sketch))

    def touch(self, intent: Intent) -> Reply[Step]:
        """Handle a touch."""
        return self.change(intent)

    def change(self, intent: Intent) -> Reply[Step]:
        """Handle a touch that fills something in or leads on."""
        raise NotImplementedError


class BattleForm(FieldPanel):
    """A panel that gathers one step."""

    _ruled: tuple[Step, Ruling] | None = None

    def step(self) -> Step:
        """Return the step as filled in so far."""
        raise NotImplementedError

    def ruling(self) -> Ruling:
        """Return the ruling on the current step, judging each step only once."""
        step = self.step()
        if self._ruled is None or self._ruled[0] != step:
            self._ruled = step, game.judge(self.position, step)
        return self._ruled[1]

    def objection(self) -> tuple[Block, ...]:
        """Return the first objection in words; nothing if the step is legal."""
        ruling = self.ruling()
        if ruling.legal:
            return ()
        return (Text(objection_words(self.position, ruling.objections[0]), "bad"),)

    def confirm(self, label: str) -> Button:
        """Return the button that confirms the step; while the step is illegal it is greyed out and explains why."""
        look: Look = "primary" if self.ruling().legal else "off"
        return confirm_button(label, look)

    def touch(self, intent: Intent) -> Reply[Step]:
        """Confirm, cancel, or change what is filled in."""
        if intent.verb == "cancel":
            return Close()
        if intent.verb == "confirm":
            return Offer(self.step()) if self.ruling().legal else Why(self.step())
        return self.change(intent)
