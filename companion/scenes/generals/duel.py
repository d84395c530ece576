"""What all panels of the card game share: the picture of the battlefield, a step's consequences, the game's moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from companion.core.language import _
from companion.scenes.base.panels import Close, Reply
from companion.text.generals import general_title, named_sides, pile_title, spoken_names, zone_title
from companion.text.orders import card_count, faction_name, sentence
from companion.text.people import People
from companion.ui.screen import Block, Intent, Text
from companion.ui.table_pictures import CardSight, DuelPicture, PileSight, ZoneSight
from engine.generals import game
from engine.generals.cards import ZONES, Card
from engine.generals.game import Legal
from engine.generals.position import SIDES, Fighter, Position, Side
from engine.generals.steps import Activate, Attack, Deploy, Equip, Move, Step, Use
from engine.generals.tally import points_of, upkeep_of
from engine.generals.words import general_words, reason_words
from engine.ruling import Tally


@dataclass(frozen=True, slots=True)
class DuelMarks:
    """Marks on the battlefield: {"red/label": "chosen", "live" or "target"}, {"red/city": "chosen" or "live"}."""

    cards: Mapping[str, str] = field(default_factory=dict)
    zones: Mapping[str, str] = field(default_factory=dict)


def zone_place(index: int, zone: str) -> str:
    """Return the place on the battlefield where a side's general stands in a zone: "red/city"."""
    return f"{SIDES[1 - index]}/outside" if zone == "siege" else f"{SIDES[index]}/{zone}"


def zone_at(index: int, place: str) -> str:
    """Return which of a side's zones lies at a place on the battlefield; "" inside the opponent's city."""
    return next((zone for zone in ZONES if zone_place(index, zone) == place), "")


def duel_picture(position: Position, marks: DuelMarks | None = None) -> DuelPicture:
    """Return the picture of the battlefield, red at the near edge, with marks on it."""
    marks = marks or DuelMarks()
    places = (("black", "city"), ("black", "outside"), ("red", "outside"), ("red", "city"))
    return DuelPicture(
        zones=tuple(_zone(position, seat, kind, marks) for seat, kind in places),
        piles=(_piles(position, 0), _piles(position, 1)),
        to_move=position.to_move_name if position.winner is None else "",
    )


def _zone(position: Position, seat: str, kind: str, marks: DuelMarks) -> ZoneSight:
    name = f"{seat}/{kind}"
    cards = tuple(
        _card(position, index, fighter, marks)
        for index, side in enumerate(position.sides)
        for fighter in side.fighters
        if zone_place(index, fighter.zone) == name
    )
    return ZoneSight(name, seat, kind, zone_title(kind, seat), cards, marks.zones.get(name, ""))


def _card(position: Position, index: int, fighter: Fighter, marks: DuelMarks) -> CardSight:
    card = position.card(index, fighter.card)
    points = tuple(points_of(position, index, fighter, form).total for form in ("military", "intelligence"))
    states = [name for name in ("fresh", "acted", "used") if getattr(fighter, name)]
    if card.effect is not None:
        states.append("effect")
    return CardSight(
        label=fighter.label,
        seat=SIDES[index],
        title=general_title(position, index, fighter.label),
        points=(points[0], points[1]),
        more=(points[0] - card.military, points[1] - card.intelligence),
        worn=tuple(kind for kind in ("item", "troop") if getattr(fighter, kind)),
        states=tuple(states),
        mark=marks.cards.get(f"{SIDES[index]}/{fighter.label}", ""),
    )


def _piles(position: Position, index: int) -> tuple[PileSight, ...]:
    side, end = position.sides[index], upkeep_of(position, index)
    over = end.over if index == position.to_move else 0
    going = position.winner is None
    return (
        PileSight("resources", pile_title("resources"), side.resources, end.generals * going, end.lost and going),
        PileSight("hand", pile_title("hand"), side.hand, over * going),
        PileSight("expended", pile_title("expended"), side.expended),
        PileSight("defeated", pile_title("defeated"), len(side.defeated)),
    )


def step_marks(position: Position, step: Step | None) -> DuelMarks:
    """Return the marks that show a step on the battlefield as it was before; none without a step."""
    index = position.to_move
    own, other = SIDES[index], SIDES[1 - index]
    match step:
        case Deploy(card) if card in position.sides[index].deck.cards:
            return DuelMarks(zones={zone_place(index, position.card(index, card).arrives): "live"})
        case Equip(_, general):
            return DuelMarks({f"{own}/{general}": "chosen"})
        case Move(general, to) if to in ZONES:
            return DuelMarks({f"{own}/{general}": "chosen"}, {zone_place(index, to): "live"})
        case Attack(general, target) if target:
            return DuelMarks({f"{own}/{general}": "chosen", f"{other}/{target}": "target"})
        case Attack(general):
            return DuelMarks({f"{own}/{general}": "chosen"}, {f"{other}/city": "live"})
        case Use(_, by, general, target):
            index = SIDES.index(by) if by in SIDES else index
            return DuelMarks(_effect_marks(index, general, target))
        case Activate(general, to, target):
            return DuelMarks({f"{own}/{general}": "chosen", **_effect_marks(index, to, target)})
    return DuelMarks()


def _effect_marks(index: int, general: str, target: str) -> dict[str, str]:
    marks = {f"{SIDES[index]}/{general}": "chosen"} if general else {}
    return {**marks, f"{SIDES[1 - index]}/{target}": "target"} if target else marks


def turn_news(before: Position, after: Position) -> Iterator[str]:
    """Yield sentences on the generals and resources lost between two positions, and on who won.

    They name the sides, not the players, and leave out cards drawn or paid.
    """
    for index, who in enumerate(SIDES):
        yield from lost_generals(before, after, index)
        lost = before.sides[index].resources - after.sides[index].resources
        expended = after.sides[index].expended - before.sides[index].expended
        if (n := min(lost, expended)) > 0:
            form = _("{who} loses {cards} from their resources.")
            yield form.format(who=faction_name(who), cards=card_count(n))
    if after.winner_name is not None and before.winner is None:
        yield _victory(after, faction_name(after.winner_name))


def _victory(after: Position, who: str) -> str:
    return _("{who} wins: {reason}.").format(who=who, reason=reason_words(after.reason))


def lost_generals(before: Position, after: Position, index: int) -> Iterator[str]:
    """Yield a sentence for each general of a side that has left the battlefield."""
    was, now = before.sides[index], after.sides[index]
    fallen = now.defeated[len(was.defeated) :]
    for fighter in was.fighters:
        if now.fighter(fighter.label) is None:
            form = _("{general} is defeated.") if fighter.card in fallen else _("{general} leaves the battlefield.")
            yield form.format(general=general_words(before, index, fighter))


def pile_news(before: Position, after: Position, people: People) -> Iterator[str]:
    """Yield a sentence for each change of either side's piles: cards drawn, paid or lost."""
    for index, who in enumerate(SIDES):
        yield from _pile_changes(before.sides[index], after.sides[index], people.name(who))


def consequences(before: Position, after: Position, people: People) -> Iterator[str]:
    """Yield sentences on the generals lost, the cards drawn, paid or lost, and who won, with the players' names."""
    for index in range(2):
        yield from lost_generals(before, after, index)
    yield from pile_news(before, after, people)
    if after.winner_name is not None and before.winner is None:
        yield _victory(after, people.name(after.winner_name))


def _pile_changes(was: Side, now: Side, who: str) -> Iterator[str]:
    """Yield what a side drew and what it moved from its resources and its hand to the expended zone."""
    lost, drawn = was.resources - now.resources, 0
    expended = now.expended - was.expended
    if lost > 0:
        drawn = max(0, min(lost, now.hand - was.hand))
    if drawn:
        yield _("{who} draws {cards}.").format(who=who, cards=card_count(drawn))
    if (burnt := min(lost - drawn, expended)) > 0:
        form = _("{who} moves {cards} from their resources to the Expended zone.")
        yield form.format(who=who, cards=card_count(burnt))
    paid = min(expended - max(burnt, 0), was.hand + drawn - now.hand)
    if paid > 0:
        yield _("{who} moves {cards} from hand to the Expended zone.").format(who=who, cards=card_count(paid))


def open_card(before: Position, step: Step) -> tuple[int, Card] | None:
    """Return the side's index and the card of a step that the players have to carry out themselves; else None."""
    if isinstance(step, Use):
        index = SIDES.index(step.by)
        card = before.card(index, step.card)
    elif isinstance(step, Activate) and (fighter := before.sides[before.to_move].fighter(step.general)) is not None:
        index, card = before.to_move, before.card(before.to_move, fighter.card)
    else:
        return None
    return (index, card) if card.effect is not None and card.effect.verb == "table" else None


@dataclass(frozen=True)
class Duel:
    """A moment of the game, for the panels. look: handles touches on the battlefield, as `looking.look` does."""

    position: Position
    people: People
    look: Callable[[Duel, Intent], Reply[Step]]

    @cached_property
    def legal(self) -> Legal:
        """The legal steps now."""
        return game.legal(self.position)

    def open_touched(self, intent: Intent) -> Reply[Step]:
        """Return the reply that opens the panel of what was touched on the battlefield; None for other touches."""
        return self.look(self, intent)

    @property
    def mover(self) -> int:
        """The index of the side to move."""
        return self.position.to_move

    def name(self, index: int) -> str:
        """Return the name of a side's player."""
        return self.people.name(SIDES[index])

    def title(self, index: int, label: str) -> str:
        """Return the title of a side's general, by its label."""
        return general_title(self.position, index, label)

    def cards(self, index: int, kinds: tuple[str, ...]) -> list[Card]:
        """Return the cards of these kinds in a side's deck, in the order of the deck."""
        return [card for card in self.position.sides[index].deck.cards.values() if card.kind in kinds]

    def fighters(self, index: int) -> tuple[Fighter, ...]:
        """Return a side's generals on the battlefield."""
        return self.position.sides[index].fighters

    def picture(self, marks: DuelMarks) -> DuelPicture:
        """Return the picture of the battlefield with these marks."""
        return duel_picture(self.position, marks)

    def may(self, step: Step) -> bool:
        """Return whether the rules allow a step."""
        return game.judge(self.position, step).legal

    def follows(self, step: Step) -> tuple[Block, ...]:
        """Return texts on what a step would bring about, or on the first rule against it."""
        ruling = game.judge(self.position, step)
        if not ruling.legal:
            first = ruling.objections[0]
            text = sentence(named_sides(spoken_names(first.message, self.position), self.people))
            return (Text(f"{text} ({first.citation})", "bad"),)
        changes = " ".join(consequences(self.position, game.apply(self.position, step), self.people))
        then = [_("Then: {what}").format(what=changes)] if changes else []
        then += [_("Do what the card says.")] if open_card(self.position, step) is not None else []
        return tuple(Text(text, "quiet") for text in then)


class DuelPanel:
    """A panel that Back closes, and from which a touch on the battlefield opens another."""

    def __init__(self, duel: Duel) -> None:
        self.duel = duel

    def touch(self, intent: Intent) -> Reply[Step]:
        """Close the panel, or open what was touched on the battlefield."""
        return Close() if intent.verb == "cancel" else self.duel.open_touched(intent)


def tally_reasons(tally: Tally) -> str:
    """Return the parts of a number with their reasons: "5 (printed on the card), −2 (for 2 generals of Cranes)"."""
    first, *others = tally.parts
    return ", ".join([f"{first.n} ({first.why})", *(f"{part.n:+d} ({part.why})" for part in others)])


def tally_text(what: str, tally: Tally, limit: str = "") -> Text:
    """Return a text on a number with its reasons and their citations; limit: a remark to add."""
    cites = dict.fromkeys(str(part.citation) for part in tally.parts)
    total = f"{what} {tally.total}"
    reasons = tally_reasons(tally) if len(tally.parts) > 1 else ""
    parts = filter(None, (": ".join(filter(None, (total, reasons))), limit))
    return Text(f"{'; '.join(parts)} ({', '.join(cites)})", "quiet")


def split_side(what: str) -> tuple[int, str]:
    """Return (the side's index, name) for "red/name"; (-1, "") for anything else."""
    seat, _slash, name = what.partition("/")
    return (SIDES.index(seat), name) if seat in SIDES else (-1, "")
