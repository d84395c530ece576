"""The card game at the table, and its turn: cards are played and generals act in any order, until the turn is ended.

A card that only the players can carry out comes between: they do what it says, and record what changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import product

from companion.core.language import _, plural
from companion.games.match import GameSession
from companion.scenes.base.panels import Face, Offer, Open, Panel, Reply, Why, undo_button
from companion.scenes.base.rules import rule_button
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.base.typing import Ask, TypingScene
from companion.scenes.generals.by_hand import SideScene, WhoseScene
from companion.scenes.generals.deeds import PendingAction, begin_deed, card_deed
from companion.scenes.generals.duel import Duel, DuelMarks, DuelPanel, open_card, pile_news
from companion.scenes.generals.looking import look, upkeep_texts
from companion.scenes.generals.presenter import GENERALS
from companion.scenes.generals.questions import questions
from companion.scenes.generals.score import DuelScoreScene
from companion.scenes.story.presenter import ArgumentQuestion
from companion.scenes.table.table import TableScene
from companion.text.generals import card_note, kind_title
from companion.ui.screen import Block, Button, Buttons, Intent, Log, Look, Prompt, Text, back_button, confirm_button
from engine.generals import game
from engine.generals.cards import EQUIPMENT, Card
from engine.generals.position import SIDES, Position
from engine.generals.steps import Agreed, End, Step
from engine.generals.tally import cost_of, upkeep_of

GENERAL, EVENT, SPECIAL = ("general",), ("event",), ("special",)
RULES = {GENERAL: "deployment-cost", EQUIPMENT: "equipment", EVENT: "events", SPECIAL: "card-types"}
"""The section of the rules on cards of these kinds."""
MANY = 8
"""A list of more cards than this can be searched."""


class DuelTurnPanel(DuelPanel):
    """The turn of the side to move, with all it may do, and the other side's answer while one is allowed."""

    def __init__(self, duel: Duel, last_steps: tuple[str, ...] = (), hands: str = "") -> None:
        super().__init__(duel)
        self.last_steps = last_steps
        self.hands = hands

    def show(self) -> Face:
        """Show the whole turn, with the last steps below."""
        plays = (*self._plays(), self._answer() or self._acts())
        hands = (Text(self.hands, "strong"),) if self.hands else ()
        last = (Log(self.last_steps),) if self.last_steps else ()
        blocks = (*self._own(), Buttons(plays, 4), *hands, *last)
        return Face(blocks, (undo_button(), self._end()), picture=self.duel.picture(self._marks()))

    def show_to(self, seat: str) -> Face:
        """Show one half of the screen: the turn to the mover, the chance to answer to the other side."""
        if seat == SIDES[self.duel.mover]:
            hands = (Text(self.hands, "quiet"),) if self.hands else ()
            blocks = (*self._own(), Buttons((*self._plays(), self._acts()), 4), *hands)
            end = replace(self._end(), note="")  # the side's card shows the upkeep
            return Face(blocks, (undo_button(), end), picture=self.duel.picture(self._marks()))
        button = self._answer()
        found = (Buttons((replace(button, label=_("Play a special card")),), 1),) if button is not None else ()
        text = _("{who} can answer").format(who=self.duel.people.name(seat))
        waiting = Prompt(seat, text, _("With a special card, before play continues."))
        return Face((waiting, *found), (undo_button(),), picture=self.duel.picture(DuelMarks()))

    def _own(self) -> tuple[Block, ...]:
        duel = self.duel
        text = _("{who} to move").format(who=duel.name(duel.mover))
        end = upkeep_of(duel.position, duel.mover)
        warning = _("Ending the turn now loses the game: upkeep {n}, resources {all}.")
        lost = (Text(warning.format(n=end.generals, all=end.resources), "bad"),) if end.lost else ()
        ready = len({*duel.legal.move, *duel.legal.attack, *duel.legal.activate})
        may = plural("Touch a general: {n} can act.", "Touch a general: {n} can act.", ready)
        return (Prompt(SIDES[duel.mover], text, may if ready else _("No general can act now.")), *lost)

    def _plays(self) -> tuple[Button, ...]:
        """Return buttons for playing cards from the hand, one for each use."""
        legal = self.duel.legal
        kinds = {card.name: card.kind for card in self.duel.cards(self.duel.mover, (*EVENT, *EQUIPMENT))}
        return (
            self._play(_("Deploy"), "deploy", "general", len(legal.deploy)),
            self._play(_("Equip"), "equip", "item", len(legal.equip)),
            self._play(_("Event"), "event", "effect", sum(kinds.get(name) == "event" for name in legal.use)),
        )

    def _play(self, label: str, verb: str, sign: str, n: int) -> Button:
        note = plural("{n} playable", "{n} playable", n) if n else _("none playable")
        return Button(label, Intent(verb), "plain" if n else "off", sign, note)

    def _acts(self) -> Button:
        """Return the button that lists the generals, for those who would rather not touch the battlefield."""
        n = len(self.duel.fighters(self.duel.mover))
        note = plural("{n} in play", "{n} in play", n)
        return Button(_("Generals"), Intent("generals"), "plain" if n else "off", "advance", note)

    def _answer(self) -> Button | None:
        """Return the button of the other side's special cards if one may answer the last step, else None."""
        n, other = len(self.duel.legal.specials), 1 - self.duel.mover
        if not n:
            return None
        note = plural("{who}: {n} card", "{who}: {n} cards", n, who=self.duel.name(other))
        return Button(_("Answer"), Intent("special"), "plain", "hand", note)

    def _end(self) -> Button:
        end = upkeep_of(self.duel.position, self.duel.mover)
        look: Look = "danger" if end.lost else "primary"
        return Button(_("End turn"), Intent("end"), look, note=_("upkeep {n}").format(n=end.generals))

    def _marks(self) -> DuelMarks:
        """Return the marks for the generals that may act."""
        legal, seat = self.duel.legal, SIDES[self.duel.mover]
        return DuelMarks({f"{seat}/{label}": "live" for label in {*legal.move, *legal.attack, *legal.activate}})

    # ---- touches --------------------------------------------------------------------------------------

    def touch(self, intent: Intent) -> Reply[Step]:
        """Open what was touched, or end the turn; the side not to move may only answer and look."""
        duel, own = self.duel, intent.seat in ("", SIDES[self.duel.mover])
        match intent.verb:
            case "special" if intent.seat in ("", SIDES[1 - duel.mover]):
                return Open(DuelCardsPanel(duel, 1 - duel.mover, SPECIAL))
            case "deploy" | "equip" | "event" if own:
                kinds = {"deploy": GENERAL, "equip": EQUIPMENT, "event": EVENT}[intent.verb]
                return Open(DuelCardsPanel(duel, duel.mover, kinds))
            case "generals" if own and duel.fighters(duel.mover):
                return Open(GeneralsPanel(duel))
            case "end" if own:
                end = upkeep_of(duel.position, duel.mover)
                return Open(EndTurnPanel(duel)) if end.lost or end.over else Offer(End())
        return duel.open_touched(intent)


class GeneralsPanel(DuelPanel):
    """The mover's generals as buttons, with what each may do."""

    def __init__(self, duel: Duel) -> None:
        super().__init__(duel)
        self.owner = duel.mover

    def show(self) -> Face:
        """Offer one button for each general."""
        index = self.duel.mover
        buttons = tuple(
            Button(
                self.duel.title(index, fighter.label),
                Intent("general", f"{SIDES[index]}/{fighter.label}"),
                note=self._note(fighter.label),
            )
            for fighter in self.duel.fighters(index)
        )
        return Face((Text(_("Which general?"), "title"), Buttons(buttons, 2)), (back_button(verb="cancel"),))

    def _note(self, label: str) -> str:
        legal = self.duel.legal
        ways = (
            (_("attack"), label in legal.attack),
            (_("move"), label in legal.move),
            (_("effect"), label in legal.activate),
        )
        return ", ".join(text for text, may in ways if may) or _("nothing else to do")


class DuelCardsPanel(DuelPanel):
    """The cards of some kinds in a side's deck, those that may be played now first.

    wanted: only cards with this text in their title or faction.
    """

    def __init__(self, duel: Duel, index: int, kinds: tuple[str, ...], wanted: str = "") -> None:
        super().__init__(duel)
        self.index = self.owner = index
        self.kinds = kinds
        self.wanted = wanted

    def show(self) -> Face:
        """Offer one button for each card; the greyed-out ones explain themselves when touched."""
        return self._face(self._note)

    def show_to(self, _seat: str) -> Face:
        """Show only the cards' names and costs, as there is half the room and the rest is on the card."""
        return self._face(lambda card: _("cost {n}").format(n=self._cost(card)))

    def _face(self, note: Callable[[Card], str]) -> Face:
        legal, text = self._legal(), self.wanted.casefold()
        every = self.duel.cards(self.index, self.kinds)
        cards = [card for card in every if text in f"{card.title} {card.faction}".casefold()]
        cards.sort(key=lambda card: card.name not in legal)
        buttons = tuple(
            Button(card.title, Intent("card", card.name), "plain" if card.name in legal else "off", note=note(card))
            for card in cards
        )
        found: Block = Buttons(buttons, 2) if buttons else Text(_("No such card in this deck."), "quiet")
        search = Button(_("All cards") if self.wanted else _("Search"), Intent("search"))
        back = back_button(verb="cancel")
        ways = (back, rule_button(RULES[self.kinds]), *((search,) if len(every) > MANY else ()))
        return Face((*self._head(), found), ways)

    def _head(self) -> tuple[Block, ...]:
        asked = {
            GENERAL: _("Which general from hand?"), EQUIPMENT: _("Which equipment from hand?"),
            EVENT: _("Which event card?"), SPECIAL: _("Which special card?"),
        }[self.kinds]  # fmt: skip
        hint = (Text(_("Cards with “{text}”").format(text=self.wanted), "quiet"),) if self.wanted else ()
        return Prompt(SIDES[self.index], asked), *hint

    def _legal(self) -> frozenset[str]:
        legal = self.duel.legal
        return frozenset(legal.specials if self.index != self.duel.mover else (*legal.deploy, *legal.equip, *legal.use))

    def _cost(self, card: Card) -> int:
        return cost_of(self.duel.position, self.index, card).total

    def _note(self, card: Card) -> str:
        kind = f"{kind_title(card.kind)} · " if card.kind in EQUIPMENT else ""
        return _("cost {n} · {what}").format(n=self._cost(card), what=f"{kind}{card_note(card)}")

    def with_search(self, text: str) -> DuelCardsPanel:
        """Return a panel with only the cards whose title or faction contains the text; all cards for ""."""
        return DuelCardsPanel(self.duel, self.index, self.kinds, text)

    # ---- touches --------------------------------------------------------------------------------------

    def touch(self, intent: Intent) -> Reply[Step]:
        """Play a card, open what was touched on the battlefield, or go back."""
        return self._choose(intent.what) if intent.verb == "card" else super().touch(intent)

    def _choose(self, name: str) -> Reply[Step]:
        card = self.duel.position.sides[self.index].deck.cards.get(name)
        if card is None or card.kind not in self.kinds:
            return None
        deed = card_deed(self.duel, self.index, card)
        sides = {"general": self.index, "target": 1 - self.index}
        has_nobody = any(not self.duel.fighters(sides[what]) for what in deed.needs)  # the deed itself says so
        if name in self._legal() or has_nobody:
            return begin_deed(self.duel, deed)
        return Why(self._sample(deed))

    def _sample(self, deed: PendingAction) -> Step:
        """Return the way to play a card that the fewest rules forbid; its objections say why it is refused."""
        own, other = (["", *(fighter.label for fighter in self.duel.fighters(i))] for i in (self.index, 1 - self.index))
        named = product(
            own[1:] if "general" in deed.needs else own[:1], other[1:] if "target" in deed.needs else other[:1]
        )
        steps = [deed.build(general, target) for general, target in named]
        return min(steps, key=lambda step: len(game.judge(self.duel.position, step).objections))


class EndTurnPanel(DuelPanel):
    """A warning before a turn's end that costs cards over the hand limit, or the game."""

    def __init__(self, duel: Duel) -> None:
        super().__init__(duel)
        self.owner = duel.mover

    def show(self) -> Face:
        """Show which cards go where when the turn ends, and whether that loses the game."""
        lost = upkeep_of(self.duel.position, self.duel.mover).lost
        blocks = (Text(_("End turn?"), "title"), *upkeep_texts(self.duel.position, self.duel.mover))
        end = confirm_button(_("End turn"), "danger" if lost else "primary")
        return Face(blocks, (Button(_("Not yet"), Intent("cancel"), "quiet"), rule_button("end-of-turn"), end))

    def touch(self, intent: Intent) -> Reply[Step]:
        """End the turn, or go back to it."""
        return Offer(End()) if intent.verb == "confirm" else super().touch(intent)


class OverPanel(DuelPanel):
    """The panel of a game that is over."""

    def show(self) -> Face:
        """Show who has won."""
        won = self.duel.position.winner
        assert won is not None
        result = Button(_("The result"), Intent("score"), "primary")
        blocks = (Prompt(SIDES[won], _("{who} has won").format(who=self.duel.name(won))),)
        return Face(blocks, (undo_button(), rule_button("winning"), result))


class ResolvePanel(DuelPanel):
    """A card that the players carry out themselves: what it says, and buttons to record what they did."""

    def __init__(self, duel: Duel, whose: int, card: Card) -> None:
        super().__init__(duel)
        self.whose = whose
        self.card = card

    def show(self) -> Face:
        """Show the card's text, a way to change each side's numbers, and the button to confirm."""
        effect = self.card.effect
        words = (effect.text if effect is not None else "") or self.card.text or _("Do what the card says.")
        buttons = tuple(
            Button(
                _("Change {who}'s cards").format(who=self.duel.name(index)),
                Intent("by-hand", SIDES[index]),
                sign="pencil",
            )
            for index in (self.whose, 1 - self.whose)
        )
        blocks = (
            Prompt(SIDES[self.whose], self.card.title, _("Do what the card says, then enter what changed.")),
            Text(words, "strong"),
            Text(_("Resolve it with your cards, then enter whatever changed."), "quiet"),
            Buttons(buttons, 1),
        )
        return Face(blocks, (undo_button(), confirm_button(_("Done"), intent=Intent("resolved"))))


LAST = 3  # the most steps listed below the turn


class DuelTable(TableScene[Position, Step]):
    """The table of a card game."""

    def __init__(self, stage: Stage, match: GameSession[Position, Step], home: Scene) -> None:
        self._resolved = 0  # how many steps there were when players last said that a card is carried out
        super().__init__(stage, match, home, GENERALS)

    def asked_for(self) -> Panel[Step]:
        """Return the panel that the position asks for: the end, a card for the players to carry out, or the turn."""
        duel = Duel(self.position, self.people, look)
        self._resolved = min(self._resolved, len(self.match.steps))  # after an undo, it has to be carried out again
        if self.position.winner is not None:
            return OverPanel(duel)
        hands = ""  # which cards to move on the table after the last step
        if self.match.steps and not isinstance(self.match.steps[-1], Agreed):
            hands = " ".join(pile_news(self.match.positions[-2], self.position, self.people))
        return self._open_card(duel) or DuelTurnPanel(duel, self.log()[:LAST], hands)

    def _open_card(self, duel: Duel) -> Panel[Step] | None:
        """Return the panel of the last card played if the players carry it out and have not yet said it is done."""
        number = len(self.match.steps)
        while number and isinstance(self.match.steps[number - 1], Agreed):
            number -= 1
        if number <= self._resolved or not number:
            return None
        found = open_card(self.match.positions[number - 1], self.match.steps[number - 1])
        return ResolvePanel(duel, *found) if found is not None else None

    def straight(self, back: Scene) -> Scene:
        """Return the scene to correct a side's piles and generals by hand."""
        return WhoseScene(self, back)

    def details(self, back: Scene) -> Scene:
        """Return the scene with the score, or with the result."""
        return DuelScoreScene(self, back)

    def questions(self, back: Scene, _seat: str) -> tuple[ArgumentQuestion, ...]:
        """Return the questions for an argument: what a general may do, its strength, who wins, what a card costs."""
        return questions(self, back)

    @property
    def waits_for(self) -> frozenset[str]:
        """The sides that may act now; while a panel that belongs to one side is open, only that side."""
        owner = getattr(self.panel, "owner", None)
        return super().waits_for if owner is None else frozenset({SIDES[owner]})

    def own(self) -> Mapping[str, Callable[[Intent], Scene | None]]:
        """Return the handlers, by verb, of the touches that panels leave to the table."""
        return {
            **super().own(),
            "search": lambda intent: self._search(),
            "resolved": lambda intent: self._end_card(),
            "by-hand": lambda intent: (
                SideScene(self, SIDES.index(who), self) if (who := intent.what) in SIDES else None
            ),
        }

    def _search(self) -> Scene | None:
        """Ask for a text to filter the list of cards by, or show all cards again if it is already filtered."""
        panel = self.panel
        if not isinstance(panel, DuelCardsPanel):
            return None
        if panel.wanted:
            self.panel, self.page = panel.with_search(""), 0
            return None

        def found(text: str) -> Scene:
            self.panel, self.page = panel.with_search(text), 0
            return self

        return TypingScene(Ask(_("Which card?"), hint=_("part of its name or faction")), found, self)

    def _end_card(self) -> None:
        self._resolved = len(self.match.steps)
        self.refresh()
