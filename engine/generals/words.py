"""Zones, kinds of cards, effects and features in words, and what a step changed."""

from __future__ import annotations

from collections.abc import Iterator

from engine.generals.cards import Effect, Feature
from engine.generals.position import SIDES, Fighter, Position
from engine.words import count_words, mark, say, side

_ZONES = {
    "city": mark("inside its city"),
    "outside": mark("outside its city"),
    "siege": mark("outside the opponent's city"),
}
_KINDS = {
    "general": mark("a general"),
    "item": mark("an item card"),
    "troop": mark("a troop card"),
    "event": mark("an event card"),
    "special": mark("a special card"),
}
_TRIGGERS = {
    "draw": mark("the draw phase"),
    "deploy": mark("a deployment"),
    "equip": mark("an equipment card"),
    "event": mark("an event card"),
    "effect": mark("a special effect"),
    "move": mark("a move"),
    "attack": mark("an attack on a general"),
    "castle": mark("an attack on the castle"),
}
_REASONS = {
    "": "",
    "draw": mark("no resource cards left to draw"),
    "damage": mark("too few resource cards for the damage"),
    "upkeep": mark("too few resource cards for the upkeep"),
    "card": mark("a card's special victory"),
    "agreed": mark("agreed by the players"),
}
REASONS = tuple(_REASONS)


def reason_words(reason: str) -> str:
    """Return in words why the game ended."""
    return say(_REASONS[reason])


def zone_words(zone: str) -> str:
    """Return in words which zone a general is in."""
    return say(_ZONES[zone])


def kind_words(kind: str) -> str:
    """Return in words what kind of card this is."""
    return say(_KINDS[kind])


def trigger_words(trigger: str) -> str:
    """Return in words what a special card answers."""
    return say(_TRIGGERS[trigger])


_VERBS = {
    "draw": mark("draw {n_card}"),
    "damage": mark("send {n_card} from the opponent's resources to the Expended zone"),
    "discard": mark("send {n_card} from the opponent's hand to the Expended zone"),
    "win": mark("you win the game"),
    "table": mark("as the card says"),
    "military": mark("+{n} military for one of your generals this turn"),
    "intelligence": mark("+{n} intelligence for one of your generals this turn"),
    "ready": mark("one of your generals may move or attack again"),
    "withdraw": mark("return an opposing general to its owner's hand"),
    "defeat": mark("defeat an opposing general"),
    "disarm": mark("an opposing general loses all equipment"),
    "weaken": mark("-{n} military for an opposing general this turn"),
    "strike": mark("one of your generals makes an intelligence attack"),
}
_FEATURES = {
    "military": mark("+{n} military"),
    "intelligence": mark("+{n} intelligence"),
    "win": mark("you win the game"),
    "table": mark("as the card says"),
}
_WHENS = {
    "always": mark("at all times"),
    "city": mark("inside its city"),
    "outside": mark("outside its city"),
    "siege": mark("outside the opponent's city"),
    "alone": mark("alone in its zone"),
    "company": mark("with at least {n_general} of yours also in its zone"),
    "kin": mark("with at least {n_general} of its faction also on the battlefield"),
    "facing": mark("with at least {n_general} of the opponent in its zone"),
    "equipped": mark("with at least {n_card} of equipment"),
    "table": mark("when the players say so"),
}


def effect_words(effect: Effect) -> str:
    """Return in words what an effect does; in the card's own if it has some.

    >>> effect_words(Effect("draw", 2)), effect_words(Effect("table", text="Ask a riddle."))
    ('draw 2 cards', 'Ask a riddle.')
    """
    return effect.text or say(_VERBS[effect.verb], n=effect.amount, n_card=count_words(effect.amount, "card"))


def feature_words(feature: Feature) -> str:
    """Return in words what a feature does and when; in the card's own if it has some.

    >>> feature_words(Feature("military", "kin", 2, 3))
    '+3 military with at least 2 generals of its faction also on the battlefield'
    """
    if feature.text:
        return feature.text
    gain = say(_FEATURES[feature.verb], n=feature.amount)
    return say("{gain} {when}", gain=gain, when=when_words(feature))


def when_words(feature: Feature) -> str:
    """Return in words when a feature holds."""
    n = feature.least
    return say(_WHENS[feature.when], n_general=count_words(n, "general"), n_card=count_words(n, "card"))


# --- what a step changed: worked out from the positions before and after it, and never stored --------

_PILES = {
    "resources": (mark("{who}: {n_card} to the resources"), mark("{who}: {n_card} from the resources")),
    "hand": (mark("{who}: {n_card} to the hand"), mark("{who}: {n_card} from the hand")),
    "expended": (mark("{who}: {n_card} to the Expended zone"), mark("{who}: {n_card} from the Expended zone")),
}
_GENERALS = {
    "arrived": mark("{who}: {general} arrives {where}"),
    "moved": mark("{who}: {general} is now {where}"),
    "wears": mark("{who}: {general} is equipped with {card}"),
    "gone": mark("{who}: {general} leaves the battlefield"),
    "defeated": mark("{who}: {general} is defeated"),
}
_TURN = mark("turn {n}: {who} to play")
_WON = mark("{who} wins: {reason}")


def changes(before: Position, after: Position) -> tuple[str, ...]:
    """List in words what a step changed: each side's generals, then its piles; then the turn, or who has won."""
    return tuple(_changes(before, after))


def _changes(before: Position, after: Position) -> Iterator[str]:
    for index, who in enumerate(SIDES):
        yield from _generals(before, after, index)
        for pile, (more, less) in _PILES.items():
            n = getattr(after.sides[index], pile) - getattr(before.sides[index], pile)
            if n:
                yield say(more if n > 0 else less, who=side(who), n_card=count_words(abs(n), "card"))
    if after.turn != before.turn:
        yield say(_TURN, n=after.turn, who=side(after.to_move_name))
    if after.winner_name is not None and before.winner is None:
        yield say(_WON, who=side(after.winner_name), reason=reason_words(after.reason))


def _generals(before: Position, after: Position, index: int) -> Iterator[str]:
    was, now = before.sides[index], after.sides[index]
    fallen = list(now.defeated[len(was.defeated) :])
    for fighter in was.fighters:
        if now.fighter(fighter.label) is None:
            yield _sentence("defeated" if fighter.card in fallen else "gone", after, index, fighter)
    for fighter in now.fighters:
        old = was.fighter(fighter.label)
        if old is None or old.zone != fighter.zone:
            yield _sentence("arrived" if old is None else "moved", after, index, fighter)
        for card in fighter.equipment:
            if old is None or card not in old.equipment:
                yield _sentence("wears", after, index, fighter, card)


def _sentence(what: str, position: Position, index: int, fighter: Fighter, worn: str = "") -> str:
    cards = position.sides[index].deck.cards
    facts = {"general": general_words(position, index, fighter), "where": zone_words(fighter.zone)}
    return say(_GENERALS[what], who=side(SIDES[index]), card=cards[worn].title if worn else "", **facts)


def general_words(position: Position, index: int, fighter: Fighter) -> str:
    """Return what a general is called: its card's title, numbered if several of them stand there."""
    number = fighter.label.removeprefix(fighter.card).removeprefix("-")
    title = position.card(index, fighter.card).title
    return f"{title} {number}" if number else title
