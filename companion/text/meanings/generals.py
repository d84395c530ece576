"""What is on the table's screen in Generals Order: icons and figures, any general, and any zone."""

from __future__ import annotations

from companion.core.language import _
from companion.text.generals import state_words
from companion.text.meanings.meaning import Meaning, Meanings
from companion.ui.table_pictures import DuelPicture
from engine.words import mark

GENERALS: Meanings = {
    "round:": Meaning(
        mark("Turn"), mark("The players take turns: draw, then deploy, plan and attack, then upkeep."), "turn-order"
    ),
    "points": Meaning(
        mark("Resources"),
        mark("Cards left in this castle. A player who has too few when they are needed loses."),
        "winning",
    ),
    "ahead": Meaning(mark("Winner"), mark("This side has won the game."), "winning"),
    "side:": Meaning(
        mark("Player's panel"), mark("Resources, hand, generals and upkeep. Touch it to see what each means.")
    ),
    "hand": Meaning(
        mark("Cards in hand"),
        mark("How many cards, and the hand limit. It counts only at the end of the turn."),
        "hand-limit",
    ),
    "general": Meaning(mark("Generals"), mark("How many generals this side has on the battlefield."), "card-types"),
    "castle": Meaning(
        mark("Upkeep"), mark("Resources the end of the turn takes: one for each general on the battlefield."), "upkeep"
    ),
    "deck": Meaning(mark("Practice decks"), mark("These decks were made up for practice; they aren't printed.")),
    "resources": Meaning(
        mark("Resources"),
        mark("The deck, kept as the castle's resources. The small number is what upkeep takes."),
        "battlefield",
    ),
    "expended": Meaning(
        mark("Expended"), mark("Used cards: costs, events, upkeep and damage to the castle."), "battlefield"
    ),
    "defeated": Meaning(mark("Defeated"), mark("Generals that were lost in a fight."), "battlefield"),
    "military": Meaning(
        mark("Military"),
        mark("Points in a military attack: the lower general is defeated, on a tie both are."),
        "attack-outcomes",
    ),
    "intelligence": Meaning(
        mark("Intelligence"),
        mark("Points in an intelligence attack, which takes a card: the higher one wins."),
        "attack-outcomes",
    ),
    "item": Meaning(mark("Item"), mark("This general carries an item card. It may carry one."), "equipment"),
    "troop": Meaning(mark("Troops"), mark("This general leads a troop card. It may lead one."), "equipment"),
    "state-fresh": Meaning(
        mark("Just deployed"), mark("It can't move or attack this turn, but it can use its effect."), "fresh-generals"
    ),
    "state-acted": Meaning(mark("Has acted"), mark("It has moved or attacked this turn."), "fresh-generals"),
    "state-effect": Meaning(mark("Special effect"), mark("It has an effect to use, once per turn."), "special-effects"),
    "state-used": Meaning(mark("Effect used"), mark("Its effect has been used this turn."), "special-effects"),
    "target": Meaning(mark("Target"), mark("The general that would be attacked."), "attack-targets"),
    "attack:": Meaning(
        mark("Attack"), mark("Attacks this general. The note says how it would end."), "attack-outcomes"
    ),
    "go:": Meaning(
        mark("Move"), mark("Moves this general to another zone. The way to the enemy city may be blocked."), "movement"
    ),
    "deploy:": Meaning(mark("Deploy"), mark("Brings a general from your hand onto the battlefield."), "deploying"),
    "equip:": Meaning(mark("Equip"), mark("Gives an item or a troop card to one of your generals."), "equipment"),
    "event:": Meaning(mark("Event"), mark("Plays an event card: pay for it, then do what it says."), "events"),
    "special:": Meaning(
        mark("Special card"), mark("The other player may answer with a special card now."), "card-types"
    ),
    "generals:": Meaning(
        mark("Generals"), mark("Move, attack, or use an effect with one of your generals."), "movement"
    ),
    "general:": Meaning(mark("General"), mark("Choose this general."), "card-types"),
    "zone:": Meaning(mark("Zone"), mark("The zone this general is in."), "battlefield"),
    "gone:": Meaning(mark("Off the battlefield"), mark("Takes this general off the battlefield.")),
    "winner:": Meaning(mark("Winner"), mark("Ends the game: you both agree that this side has won.")),
}


def meaning_on_battlefield(key: str, picture: DuelPicture | None) -> Meaning | None:
    """Return what the general, zone or piles with this key are on this battlefield; None for anything else."""
    kind, _colon, name = key.partition(":")
    zone = next((zone for zone in picture.zones if zone.name == name), None) if picture and kind == "zone" else None
    if zone is not None:
        inside = _("Home of the castle's resources. The opponent's generals can't come in here.")
        outside = _("Generals here defend the city, and enemies here attack it.")
        return Meaning(zone.title, inside if zone.kind == "city" else outside, "battlefield")
    if kind == "pile":
        text = _("Resources, hand, Expended and Defeated of this side. Touch it for more.")
        return Meaning(_("Piles"), text, "battlefield")
    return _general(name, picture) if picture and kind == "general" else None


def _general(name: str, picture: DuelPicture) -> Meaning | None:
    """Explain a general by its points and what it has done this turn; None for one that is not shown."""
    cards = (card for zone in picture.zones for card in zone.cards)
    card = next((card for card in cards if f"{card.seat}/{card.label}" == name), None)
    if card is None:
        return None
    state = state_words(*(state in card.states for state in ("fresh", "acted", "used")))
    form = _("Military {military}, intelligence {intelligence}. This turn: {state}.")
    military, intelligence = card.points
    text = form.format(military=military, intelligence=intelligence, state=state)
    return Meaning(card.title, text, "card-types")
