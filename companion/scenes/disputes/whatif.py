"""What if: steps tried out on a copy of the position, which never reach the game itself."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.language import _
from companion.scenes.base.map_picture import map_picture
from companion.scenes.base.panels import Agree, Close, Face, Offer, Open, Panel, Reply, Take, Why
from companion.scenes.base.stage import Scene
from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.orders.answers import RollPanel, answer_for
from companion.scenes.orders.forms import CardOffer
from companion.scenes.orders.turn import Spaces, TurnPanel
from companion.scenes.story.presenter import RulesQuestion, SystemPresenter
from companion.text.orders import effects, faction_name, log_line
from companion.text.percent import chance_percent
from companion.ui.screen import Block, Button, Buttons, Intent, Prompt, Screen, Text, back_button
from engine.dice import pool_odds
from engine.orders import game
from engine.orders.game import Owed
from engine.orders.position import Position
from engine.orders.score import score
from engine.orders.steps import Accept, Roll, Step

NOT_HERE = frozenset(
    {"undo", "undo-list", "otherwise", "window", "menu", "side", "live"}
    | {"lock", "log", "cards", "dispute", "clock", "dice", "round"}
)
"""Verbs of the table's own buttons, which do nothing here."""


class WhatIfScene:
    """Lets players try out steps on a copy. It has the position and the players' names, but not the match."""

    def __init__(
        self, presenter: SystemPresenter[Position, Step], position: Position, players: Mapping[str, str], back: Scene
    ) -> None:
        self.presenter = presenter
        self.players = dict(players)
        self.back = back
        self.positions = [position]
        self.lines: list[str] = []
        self.page = 0
        self.panel = self._asked_for()

    @property
    def position(self) -> Position:
        """The position after the steps tried so far."""
        return self.positions[-1]

    def _asked_for(self) -> Panel[Step]:
        """Return the panel for the position after the steps tried."""
        self.page = 0
        owed = game.owed(self.position)
        if owed is not None:
            return answer_for(self.position, owed)
        return TurnPanel(Spaces(self.position), tuple(reversed(self.lines)))

    # ---- what it shows ---------------------------------------------------------------------------

    def show(self) -> Screen:
        """Show the panel in a frame, with the steps tried so far."""
        face = self.panel.show()
        return Screen(
            blocks=self._blocks(face),
            actions=self._actions(face),
            frame=_("What if – nothing is saved"),
            map=map_picture(self.position, face.marks, None),
            page=self.page,
        )

    def _owed(self, wants: str) -> Owed | None:
        """Return what is owed if it is of this kind, else None."""
        owed = game.owed(self.position)
        return owed if owed is not None and owed.wants == wants else None

    def _blocks(self, face: Face) -> tuple[Block, ...]:
        """Return how the points have changed, then the panel's blocks; a roll gets results to choose instead."""
        owed = self._owed("roll")
        if owed is None or not isinstance(self.panel, RollPanel):
            return (*self._points(), *face.blocks)
        prompts = [block for block in face.blocks if isinstance(block, Prompt)]
        others = [block for block in face.blocks if not isinstance(block, Prompt)]
        return (*prompts, *self._dice(owed), *others)

    def _dice(self, owed: Owed) -> tuple[Block, ...]:
        """Return buttons for the fewest, the likeliest and the most hits of a roll, each with its chance."""
        odds = pool_odds(self.position.board.mode.die, owed.dice)
        likely = max(odds, key=lambda total: odds[total])
        buttons = tuple(
            Button(label.format(n=total), Intent("luck", "", total), note=chance_percent(odds[total]))
            for label, total in ((_("Fewest: {n}"), min(odds)), (_("Likely: {n}"), likely), (_("Most: {n}"), max(odds)))
        )
        return (Buttons(buttons, 3),)

    def _points(self) -> tuple[Block, ...]:
        """Return the points, and how the tried steps have changed them."""
        before, after = score(self.positions[0]).vp, score(self.position).vp
        figures = {
            faction: str(n) if before[faction] == n else f"{before[faction]} → {n}" for faction, n in after.items()
        }
        sides = " – ".join(f"{self._side(faction)} {points}" for faction, points in figures.items())
        text = _("Round {n} · {sides}").format(n=self.position.round, sides=sides)
        return (Text(text, "strong"),)

    def _side(self, faction: str) -> str:
        """Return a side with its player's name: "Red (Ana)"."""
        player = self.players.get(faction, "")
        return f"{faction_name(faction)} ({player})" if player else faction_name(faction)

    def _actions(self, face: Face) -> tuple[Button, ...]:
        own = tuple(action for action in face.actions if action.intent.verb not in NOT_HERE)
        inner = any(action.spot == "leave" for action in own)
        tried = len(self.positions) > 1 and not inner
        back = (Button(_("Step back"), Intent("step-back")),) if tried else ()
        leave = () if inner else (back_button(verb="leave"),)
        return (*leave, *back, *own)

    # ---- touches ---------------------------------------------------------------------------------

    def touch(self, intent: Intent) -> Scene | None:
        """Leave, turn the page, undo a step, choose a roll's result, or pass the touch to the panel."""
        if intent.verb == "leave":
            return self.back
        if intent.verb == "page":
            self.page += intent.n
        elif intent.verb == "step-back":
            self._back()
        elif intent.verb == "luck":
            self._throw(intent.n)
        elif intent.verb not in NOT_HERE:
            return self._follow(self.panel.touch(intent))
        return None

    def _follow(self, reply: Reply[Step]) -> Scene | None:
        match reply:
            case Offer(step) | Agree(step):
                return self._try(step, isinstance(reply, CardOffer) and reply.rerolled is False)
            case Take(steps):
                for step in steps:
                    self._try(step)
            case Why(step):
                return self._explain(step)
            case Open(panel):
                self.panel, self.page = panel, 0
            case Close():
                self.panel = self._asked_for()
        return None

    def _try(self, step: Step, no_reroll: bool = False) -> Scene | None:
        """Take the step on the copy of the game; an illegal step opens its ruling."""
        if not game.judge(self.position, step).legal:
            return self._explain(step)
        self.lines.append(log_line(step, self.position))
        self.positions.append(game.apply(self.position, step))
        owed = self._owed("accept")
        if no_reroll and owed is not None and owed.may_reroll:
            self.lines[-1] = "; ".join((self.lines[-1], *effects(Accept(), self.position)))
            self.positions[-1] = game.apply(self.position, Accept())
        self.panel = self._asked_for()
        return None

    def _explain(self, step: Step) -> Scene:
        ruling = game.examine(self.position, step)
        asked = RulesQuestion(self.presenter.question(step, self.position), self.position, ruling, step)
        return RulingScene(self.presenter, asked, self)

    def _back(self) -> None:
        if len(self.positions) > 1:
            self.positions.pop()
            self.lines.pop()
        self.panel = self._asked_for()

    def _throw(self, total: int) -> None:
        owed = self._owed("roll")
        if owed is not None:
            self._try(Roll(faces_of(total, owed.dice, self.position.board.mode.die), owed.by), no_reroll=True)


def faces_of(total: int, dice: int, die: tuple[int, ...]) -> tuple[int, ...]:
    """Return faces of this many dice that add up to a total, the highest first.

    >>> faces_of(3, 2, (0, 1, 1, 1, 1, 2)), faces_of(0, 1, (0, 1, 1, 1, 1, 2))
    ((2, 1), (0,))
    """
    faces: list[int] = []
    for left in range(dice - 1, -1, -1):
        faces.append(max(face for face in die if face + left * min(die) <= total - sum(faces)))
    return tuple(faces)
