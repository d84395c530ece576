"""What proves a rule: a step that it objects to, and one that it lets pass."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from engine.orders.position import Position
from engine.orders.steps import Accept, Agreed, Deploy, OtherCorrections, Pass, Play, Reroll, Step
from tests.tables import deploy, loads, rolled


class Case(NamedTuple):
    """A position, a step that breaks a rule there with words of the objection, and a step that keeps it.

    `sound` is None where nothing can keep it, as there is never a choice of losses with one kind of unit.
    """

    position: Position
    spoiled: Step
    words: str
    sound: Step | None
    instead: Position | None = None
    """Where the sound step is judged, if not in the same position."""


def besides(**keys: Any) -> Agreed:
    """Return an agreement about things besides the board."""
    return Agreed(other=OtherCorrections(**keys))


class Book(NamedTuple):
    """What the cases that the books have alike are made of: names of a book, and positions of its table.

    us, them: the factions; attack: before `us` attack with `load` from `source` at `target`, with two cards of Ground
    Assault in hand; join: that with one of them; begun: after it, with the window for cards open; answered: once that
    is over; owed, rolled: as the defence is owed, and lies there; tokens: two with their slots, the first one's title.
    over: a game that has ended; support: with a commander of `us` on the first space of each kind; drawn: with one card
    left to draw; entered: after the attack, with no troop in the reserve; short: with one troop too few in it for an
    area that may be filled up; areas_when_short: that area, one with units to spare, one of `them`, one with one unit.
    """

    us: str
    them: str
    opening: Position
    attack: Position
    source: str
    target: str
    load: str
    join: Step
    begun: Position
    answered: Position
    owed: Position
    rolled: Position
    other_unit: str
    headquarters: str
    fixed_reading: str
    card: str
    tokens: tuple[tuple[str, str], tuple[str, str], str]
    over: Position
    support: Position
    drawn: Position
    entered: Position
    short: Position
    areas_when_short: tuple[str, str, str, str]


def cases_alike(book: Book) -> dict[str, Case]:
    """Return the cases of the rules that each book has in the same words."""
    us, them, begun, owed, opening = book.us, book.them, book.begun, book.owed, book.opening
    us_title, them_title = us.capitalize(), them.capitalize()
    (slot, token), (other_slot, other), title = book.tokens
    space, assault = f"advance:{book.target}", Play("ground_assault", us, units=1)
    twice = deploy(space, book.load, cards="ground_assault ground_assault")
    from_reserve = replace(assault, units=None, moves=loads("reserve:1", "troop"))
    late = "Ground Assault must be played right after moving in, before the defender answers"
    in_late = replace(book.answered, readings=frozenset({"join-late"}))
    many = f"{us_title} would have 105 troops on the board, but the box only has 25"
    gone = f"{book.card.capitalize()}: 4 would be out of the deck, but there are only 3"
    unknown = "green is not one of the two factions"
    used = f"{us_title} has already used the effect of Ground Assault this turn"
    none, few = f"{us_title} doesn't have Ground Assault in hand", f"{us_title} doesn't have 1 card to spend"
    spent, empty = replace(book.attack, spent=(("ground_assault",), ())), replace(book.attack, hands=(0, ()))
    attack = deploy(space, book.load)
    aimed = replace(attack, target=book.target)
    filled, spare, foe, lone = book.areas_when_short
    enough = book.short.reserve(0, 0)
    needs, fits = (deploy("reinforce:2", f"{filled}:{n}") for n in (enough + 1, enough))

    def recalling(units: str) -> Deploy:
        return replace(needs, recall=loads(units, "troop"))

    mended, two = recalling(f"{spare}:1"), deploy("plan:2", 2)
    last = f"draw the rest of the deck first: 1 × {book.card.capitalize()}"
    discarded = replace(opening, hands=((), ()), discard=("ambush",) * 3)
    other_space = deploy("reinforce:2", f"{book.headquarters}:1")
    whole = replace(other_space, space="reinforce:1")
    entering = f"you didn't control {book.target} as the action started"
    return {
        "game.over": Case(book.over, Pass(), "the game is already over", Pass(), opening),
        "reinforce.one-per-round": Case(book.support, other_space, "reinforce:1", other_space, opening),
        "place.whole": Case(replace(opening, readings=frozenset({"place-fewer"})), whole, "not 1", whole, opening),
        "plan.one-per-round": Case(book.support, two, "plan:1", two, opening),
        "plan.amount": Case(opening, deploy("plan:2", 9), "draw 2 cards, not 9", two),
        "plan.short-deck": Case(replace(opening, hands=(23, ())), two, "the deck has only 1", deploy("plan:2", 1)),
        "plan.copies": Case(
            discarded, deploy("plan:1", "ambush"), "no Ambush is left to draw", deploy("plan:1", book.card)
        ),
        "plan.last-cards": Case(
            book.drawn, deploy("plan:2", "ambush ambush"), last, deploy("plan:2", f"{book.card} ambush")
        ),
        "reserve.short": Case(book.short, needs, f"{enough + 1} troops needed", fits),
        "recall.control": Case(book.short, recalling(f"{foe}:1"), f"you don't control {foe}", mended),
        "recall.last-unit": Case(
            book.short,
            recalling(f"{lone}:1"),
            f"1 troop can't be recalled from {lone}, which has 1: one unit must stay",
            mended,
        ),
        "recall.short": Case(
            book.short,
            replace(fits, recall=mended.recall),
            f"you can only recall troops when your reserve runs short; it still has {enough}",
            mended,
        ),
        "recall.more": Case(
            book.short, recalling(f"{spare}:2"), "2 troops recalled, too many: the reserve lacks only 1", mended
        ),
        "recall.entered": Case(
            book.entered,
            replace(assault, units=None, recall=loads(f"{book.target}:1", "troop")),
            entering,
            replace(assault, units=None, recall=loads(f"{book.headquarters}:2", "troop")),
        ),
        "turn.owed": Case(owed, Pass(), f"first, {them_title} rolls 1 die for {book.target}", Pass(), opening),
        "area.known": Case(
            book.attack, deploy(space, f"{book.load} z9:1"), "there is no area z9 on this board", attack
        ),
        "space.known": Case(book.attack, deploy("advance:z9", book.load), "advance:z9", attack),
        "deploy.form": Case(book.attack, aimed, "Advance doesn't use “target”", attack),
        "faction.known": Case(owed, rolled("green", 1), unknown, rolled(them, 1)),
        "accept.window": Case(opening, Accept(), "there is no card to skip now", Accept(), begun),
        "card.known": Case(begun, Play("bribery", us), "bribery", assault),
        "card.held": Case(opening, deploy(space, book.load, cards="ground_assault"), none, book.join, book.attack),
        "card.enough": Case(empty, book.join, few, book.join, book.attack),
        "card.once-per-turn": Case(spent, book.join, used, book.join, book.attack),
        "card.late": Case(book.answered, assault, late, assault, in_late),
        "card.same-twice": Case(book.attack, twice, "Ground Assault is played twice", book.join),
        "card.amount": Case(begun, replace(assault, units=3), "Ground Assault adds up to 2, not 3", assault),
        "card.reserve-units": Case(book.attack, deploy(space, f"{book.load} reserve:1"), "1 troop join", book.join),
        "card.unit": Case(
            begun,
            replace(from_reserve, moves=loads("reserve:1", book.other_unit)),
            "Ground Assault only adds 2 troops",
            from_reserve,
        ),
        "card.form": Case(
            begun,
            replace(assault, units=None, target=book.target),
            "Ground Assault doesn't use “target”",
            assault,
        ),
        "card.from-reserve": Case(
            begun,
            replace(from_reserve, moves=loads(f"{book.source}:1", "troop")),
            f"not from {book.source}",
            from_reserve,
        ),
        "roll.owed": Case(opening, rolled(us, 1), "no roll is due", rolled(them, 1), owed),
        "roll.by": Case(owed, rolled(us, 1), f"this is {them_title}'s roll", rolled(them, 1)),
        "roll.dice": Case(owed, rolled(them, 1, 1), "roll 1 die, not 2", rolled(them, 1)),
        "roll.face": Case(owed, rolled(them, 3), "there is no 3 on these dice", rolled(them, 2)),
        "reroll.owed": Case(begun, Reroll("ambush", them), "no dice", Reroll("ambush", them), book.rolled),
        "reroll.own": Case(
            book.rolled,
            Reroll("ground_assault", us),
            f"only {them_title} may reroll these dice",
            Reroll("ambush", them),
        ),
        "agreed.box": Case(
            opening,
            Agreed(areas=((book.headquarters, ((us, "troop", 99),)),)),
            many,
            Agreed(areas=((book.headquarters, ((us, "troop", 5),)),)),
        ),
        "reading.known": Case(
            opening,
            Agreed(readings=((book.fixed_reading, "other"),)),
            f"{book.fixed_reading} has no answer “other”",
            Agreed(readings=(("empty-deck", "other"),)),
        ),
        "agreed.round": Case(opening, besides(round=5), "there is no round 5", besides(round=4)),
        "agreed.dice": Case(opening, besides(dice=2), "no roll of 2 dice can be due now", besides(dice=2), owed),
        "agreed.cards": Case(opening, besides(discard=(book.card,) * 4), gone, besides(discard=(book.card,) * 3)),
        "agreed.token-twice": Case(
            opening,
            besides(bonuses=((slot, token), (other_slot, token))),
            f"{title} would be on two slots",
            besides(bonuses=((slot, token), (other_slot, other))),
        ),
    }
