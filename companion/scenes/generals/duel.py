"""What all panels of the card game share: the position, who plays, what may be done, and touches on the battlefield."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from companion.core.language import _
from companion.scenes.base.panels import Reply
from companion.scenes.generals.news import comes_of_it
from companion.scenes.generals.picture import DuelMarks, duel_picture
from companion.text.generals import general_title, named_sides, spoken_names
from companion.text.orders import sentence
from companion.text.people import People
from companion.ui.duel_picture import DuelPicture
from companion.ui.screen import Block, Intent, Text
from engine.generals import game
from engine.generals.cards import Card
from engine.generals.game import Legal
from engine.generals.position import SIDES, Fighter, Position
from engine.generals.steps import Activate, Step, Use
from engine.ruling import Tally

TABLE = "table"


def open_card(before: Position, step: Step) -> tuple[int, Card] | None:
    """Return the side and the card if the players have to carry out a step's card themselves, else None."""
    if isinstance(step, Use):
        index = SIDES.index(step.by)
        card = before.card(index, step.card)
    elif isinstance(step, Activate) and (fighter := before.sides[before.to_move].fighter(step.general)) is not None:
        index, card = before.to_move, before.card(before.to_move, fighter.card)
    else:
        return None
    return (index, card) if card.effect is not None and card.effect.verb == TABLE else None


@dataclass(frozen=True)
class Duel:
    """A moment of the game, for the panels that ask about it."""

    position: Position
    people: People
    look: Callable[[Duel, Intent], Reply[Step]]

    @cached_property
    def legal(self) -> Legal:
        """The steps that the side to move may take."""
        return game.legal(self.position)

    def looked_at(self, intent: Intent) -> Reply[Step]:
        """Open what was touched on the battlefield, whatever is being asked."""
        return self.look(self, intent)

    @property
    def mover(self) -> int:
        """The side to move."""
        return self.position.to_move

    def name(self, index: int) -> str:
        """Return the name of a side's player."""
        return self.people.name(SIDES[index])

    def title(self, index: int, label: str) -> str:
        """Return the title of a general."""
        return general_title(self.position, index, label)

    def cards(self, index: int, kinds: tuple[str, ...]) -> list[Card]:
        """Return the cards of these kinds in a side's deck, in the order of the deck."""
        return [card for card in self.position.sides[index].deck.cards.values() if card.kind in kinds]

    def fighters(self, index: int) -> tuple[Fighter, ...]:
        """Return a side's generals on the battlefield."""
        return self.position.sides[index].fighters

    def picture(self, marks: DuelMarks) -> DuelPicture:
        """Return the battlefield with these marks."""
        return duel_picture(self.position, marks)

    def may(self, step: Step) -> bool:
        """Return whether the rules allow a step."""
        return game.judge(self.position, step).legal

    def follows(self, step: Step) -> tuple[Block, ...]:
        """Describe what a step would bring about, or the first rule against it."""
        ruling = game.judge(self.position, step)
        if not ruling.legal:
            first = ruling.objections[0]
            text = sentence(named_sides(spoken_names(first.message, self.position), self.people))
            return (Text(f"{text} ({first.citation})", "bad"),)
        changes = " ".join(comes_of_it(self.position, game.apply(self.position, step), self.people))
        then = (Text(_("Then: {what}").format(what=changes), "quiet"),) if changes else ()
        if open_card(self.position, step) is None:
            return then
        return (*then, Text(_("Do what the card says."), "quiet"))


def tally_reasons(tally: Tally) -> str:
    """Return the parts of a number with their reasons: "5 (printed on the card), −2 (for 2 generals of Cranes)"."""
    first, *others = tally.parts
    return ", ".join([f"{first.n} ({first.why})", *(f"{part.n:+d} ({part.why})" for part in others)])


def tally_text(what: str, tally: Tally, limit: str = "") -> Text:
    """Return a number with its reasons and the sections they come from."""
    cites = dict.fromkeys(str(part.citation) for part in tally.parts)
    total = f"{what} {tally.total}"
    reasons = tally_reasons(tally) if len(tally.parts) > 1 else ""
    parts = [": ".join(filter(None, (total, reasons))), *([limit] if limit else [])]
    return Text(f"{'; '.join(parts)} ({', '.join(cites)})", "quiet")


def split_side(what: str) -> tuple[int, str]:
    """Return (side, name) for "red/name"; (-1, "") for anything else."""
    seat, _slash, name = what.partition("/")
    return (SIDES.index(seat), name) if seat in SIDES else (-1, "")
