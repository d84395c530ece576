"""What the scenes shared by all systems show and say of the card game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.core.language import _, language_code, plural
from companion.games.rules_search import EntryQuestions, Library, Played, book_library
from companion.scenes.generals.duel import duel_picture, step_marks, turn_news
from companion.scenes.story.presenter import SystemPresenter, TablePicture
from companion.scenes.story.tables import Portrait
from companion.text.generals import (
    deck_title,
    general_title,
    named_sides,
    outcome_words,
    spoken_names,
    step_line,
    step_question,
)
from companion.text.meanings.generals import GENERALS as GENERALS_MEANINGS
from companion.text.meanings.generals import meaning_on_battlefield
from companion.text.meanings.meaning import Meaning, find
from companion.text.orders import faction_name, sentence
from companion.text.people import People
from companion.ui.screen import Side, Status, Tell
from companion.ui.table_pictures import DuelPicture
from engine.generals import game
from engine.generals.game import readings, rules, sections
from engine.generals.position import SIDES, Position
from engine.generals.steps import Agreed, Attack, Deploy, Move, Step
from engine.generals.tally import cost_of, passage_of, points_of, upkeep_of
from engine.rulebook import Reading
from engine.ruling import Ruling

OFTEN = (
    "turn-order", "deploying", "deployment-cost", "movement", "attack-outcomes", "castle", "upkeep", "hand-limit",
    "winning",
)  # fmt: skip
"""The sections of the rules that are looked up most."""


class GeneralsPresenter(SystemPresenter[Position, Step]):
    """Generals Order on the screen: red sits near, black opposite."""

    def seats(self, keys: tuple[str, ...]) -> tuple[str, ...]:
        """Return the colours of both sides: red and black."""
        return keys

    def keys(self, _position: Position) -> tuple[str, str]:
        """Return the names of the sides in a saved game."""
        return SIDES[0], SIDES[1]

    def sides(self, _position: Position) -> tuple[str, str]:
        """Return the names of the sides as players read them."""
        return faction_name("red"), faction_name("black")

    def title(self, position: Position) -> str:
        """Return the game's name, noting whether it is played with practice cards."""
        practice = any(side.deck.known == "practice" for side in position.sides)
        return _("Generals Order (practice cards)") if practice else _("Generals Order")

    def published_as(self, position: Position) -> tuple[str, str]:
        """Return "", as the game has only one box, and the titles of both decks."""
        return "", " – ".join(deck_title(side.deck) for side in position.sides)

    def waits_for(self, position: Position) -> tuple[int, ...]:
        """Return the side to move, and the other side too while it may answer with a special card; none at the end."""
        if position.winner is not None:
            return ()
        owed = game.owed(position)
        return (position.to_move,) if owed is None else (position.to_move, owed.by)

    def winner(self, position: Position) -> int | None:
        """Return the side that has won; None while nobody has."""
        return position.winner

    def turn(self, position: Position) -> int:
        """Return the number of the turn."""
        return position.turn

    def acting(self, position: Position) -> int | None:
        """Return the side whose turn it is."""
        return position.to_move

    def line(self, step: Step, before: Position, people: People) -> str:
        """Return a step as a sentence."""
        return step_line(step, before, people)

    def start_line(self, position: Position) -> str:
        """Return a sentence on which decks are played, and who moves first."""
        form = _("{one} against {other}. {who} goes first.")
        one, other = (deck_title(side.deck) for side in position.sides)
        return form.format(one=one, other=other, who=faction_name(position.to_move_name))

    def question(self, step: Step, position: Position) -> str:
        """Return the question that somebody asking about a step has in mind."""
        return step_question(step, position)

    def by_chance(self, _step: Step, _before: Position) -> bool:
        """Return False, as no step is a roll or a draw: the app counts cards drawn as numbers."""
        return False

    def is_agreed(self, step: Step) -> bool:
        """Return whether the players agreed on this step."""
        return isinstance(step, Agreed)

    # ---- what is seen -----------------------------------------------------------------------------

    def status(self, position: Position, people: People) -> Status:
        """Return the status bar: the turn, and a card for each side."""
        sides = tuple(_side(position, index, people) for index in range(2))
        practice = any(side.deck.known == "practice" for side in position.sides)
        tells = (Tell("deck", _("practice")),) if practice else ()
        return Status(0, 0, 0, sides, title=_("Turn {n}").format(n=position.turn), tells=tells)

    def picture(self, position: Position, step: Step | None = None) -> DuelPicture:
        """Return the picture of the battlefield, marked with what a step is about."""
        return duel_picture(position, step_marks(position, step))

    def facts(self, position: Position, people: People) -> str:
        """Return both sides' resources and generals, in a line."""
        form = _("{who}: {resources}, {generals}")
        return "; ".join(
            form.format(
                who=people.name(who),
                resources=plural("{n} resource", "{n} resources", side.resources),
                generals=plural("{n} general", "{n} generals", len(side.fighters)),
            )
            for who, side in zip(SIDES, position.sides, strict=True)
        )

    # ---- how it went --------------------------------------------------------------------------------

    def standing(self, position: Position) -> tuple[int, int]:
        """Return the resources left in both castles."""
        one, other = (side.resources for side in position.sides)
        return one, other

    def standing_words(self) -> str:
        """Return the word for what is counted: "Resources left"."""
        return _("Resources left")

    def fought(self, step: Step, _before: Position) -> str:
        """Return the label of the general that a step attacks, "castle", or "" if it isn't an attack."""
        return (step.target or "castle") if isinstance(step, Attack) else ""

    def outcome(self, position: Position, people: People) -> tuple[str, ...]:
        """Return why the game ended, and the section that says so."""
        return (outcome_words(position, people),)

    def secret(self, position: Position) -> frozenset[str]:
        """Return the names of all cards in both decks except those on the battlefield."""
        open_cards = {
            card for side in position.sides for fighter in side.fighters for card in (fighter.card, *fighter.equipment)
        }
        cards = (card for side in position.sides for card in side.deck.cards.values() if card.name not in open_cards)
        return frozenset(word for card in cards for word in (card.name, card.title) if word)

    # ---- the rules --------------------------------------------------------------------------------

    def library(self, position: Position | None = None) -> Library:
        """Return the rules for looking things up."""
        switched = position.readings if position is not None else frozenset()
        played = Played(switched, OFTEN, EntryQuestions("generals", language_code()))
        return book_library(sections(), rules(), readings(), played, _)

    def readings(self, _position: Position | None = None) -> Mapping[str, Reading]:
        """Return the questions that the rules' text leaves open."""
        return readings()

    def switched_readings(self, position: Position) -> frozenset[str]:
        """Return the names of the readings that are played by their other answer."""
        return position.readings

    def message_text(self, message: str, position: Position) -> str:
        """Return a message of the engine with the names that players know."""
        return sentence(named_sides(spoken_names(message, position), SIDES_ALONE))

    def changes(self, before: Position, after: Position) -> tuple[str, ...]:
        """Return what a step brought about, in sentences."""
        return tuple(turn_news(before, after))

    def meaning(self, key: str, picture: TablePicture | None) -> Meaning | None:
        """Return the meaning of a thing on the battlefield, or of an icon."""
        shown = picture if isinstance(picture, DuelPicture) else None
        return meaning_on_battlefield(key, shown) or find(key, GENERALS_MEANINGS)

    def remedies(self, position: Position, step: Step, ruling: Ruling) -> tuple[str, ...]:
        """Return what would have to be different for the step to be legal."""
        failed = {objection.rule for objection in ruling.objections}
        return tuple(text for rule, text in _remedies(position, step).items() if rule in failed)

    def settling_step(self, position: Position, step: Step | None, note: str) -> Step | None:
        """Return the agreed step that records a refused move, or attack on the castle, all the same; else None.

        step: the refused one; None for an agreed step that carries only the note.
        """
        index = position.to_move
        plain = Agreed(SIDES[index], note=note)
        match step:
            case None:
                return plain
            case Move(general, to) if position.sides[index].fighter(general) is not None:
                return replace(plain, generals={general: {"zone": to, "acted": True}})
            case Attack(general, "") if (fighter := position.sides[index].fighter(general)) is not None:
                other = position.sides[1 - index]
                n = min(points_of(position, index, fighter, "military").total, other.resources)
                numbers = {"resources": other.resources - n, "expended": other.expended + n}
                return Agreed(SIDES[1 - index], numbers, note=note)
        return None


GENERALS = GeneralsPresenter()
PORTRAIT = Portrait(GENERALS)
SIDES_ALONE = People(SIDES)
"""The sides by their colours, where nobody knows who plays."""


def _side(position: Position, index: int, people: People) -> Side:
    """Return a side's status card: resources, hand and hand limit, generals, and the upkeep of its turn."""
    side, who, end = position.sides[index], SIDES[index], upkeep_of(position, index)
    player = people.players.get(who, "")
    title = people.titles.get(who, who)
    going = position.winner is None
    hand = f"{side.hand}/{side.deck.hand_limit}"
    upkeep = _("upkeep {n}").format(n=end.generals)
    return Side(
        who, f"{title} · {player}" if player else title, side.resources, 0, 0, 0, side.hand, False,
        to_move=index == position.to_move and going,
        player=player,
        ahead=position.winner == index,
        tells=(
            (Tell("hand", hand, end.over > 0 and index == position.to_move and going, str(side.hand)),
             Tell("general", str(len(side.fighters)))),
            (Tell("castle", upkeep, end.lost and going, f"−{end.generals}" if end.generals else "0"),),
        ),
    )  # fmt: skip


def _remedies(position: Position, step: Step) -> dict[str, str]:
    """Return {rule: what would help against an objection by it}."""
    index = position.to_move
    found = {
        "castle.guarded": _("First defeat or drive off every general outside the castle."),
        "act.fresh": _("It can move or attack from your next turn on."),
        "act.once": _("It can move or attack again on your next turn."),
    }
    if isinstance(step, Move) and (fighter := position.sides[index].fighter(step.general)) is not None:
        missing = passage_of(position, fighter).missing
        form = plural(
            "You need {n} more general outside your city.",
            "You need {n} more generals outside your city.",
            missing,
        )
        found["move.blocked"] = form
    if isinstance(step, Deploy) and step.card in position.sides[index].deck.cards:
        cost = cost_of(position, index, position.card(index, step.card)).total
        missing = cost - max(0, position.sides[index].hand - 1)
        found["pay.hand"] = plural("You need {n} more card.", "You need {n} more cards.", missing)
    if isinstance(step, Attack) and step.target:
        target = general_title(position, 1 - index, step.target)
        found["attack.zone"] = _("Move to {target}'s zone first.").format(target=target)
    return found
