"""What the scenes shared by all systems show and say of a battle."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.language import _, language_code, plural
from companion.games.rules_search import EntryQuestions, Library, Played, book_library
from companion.games.status import Rounds
from companion.scenes.sonae.field import SEATS, field_picture, step_sketch
from companion.scenes.story.presenter import SystemPresenter, TablePicture
from companion.scenes.story.tables import Portrait
from companion.text.meanings.meaning import Meaning, find
from companion.text.meanings.sonae import SONAE as SONAE_MEANINGS
from companion.text.meanings.sonae import meaning_on_field
from companion.text.orders import sentence
from companion.text.people import People
from companion.text.sonae import (
    army_title,
    changes,
    division_title,
    movements,
    question,
    roll_title,
    step_words,
    title,
    with_titles,
)
from companion.ui.battlefield_picture import FieldPicture
from companion.ui.screen import Side, Status
from companion.ui.table_pictures import Tell
from engine.rulebook import Reading
from engine.ruling import Ruling
from engine.sonae.game import options, owed, readings, rules, sections
from engine.sonae.orders import end_of
from engine.sonae.pools import ROLLED
from engine.sonae.position import Position
from engine.sonae.steps import Advance, Agreed, FallBack, Fire, Roll, Settle, Step, Token, Wheel
from engine.sonae.turn import objective_holder
from engine.sonae.words import reason_words

BOTH = (0, 1)
OFTEN = (
    "orders", "moving", "charge", "ranged-combat", "closing-fire", "melee", "shock", "flank-attacks", "status-ladder",
)  # fmt: skip
"""The sections of the rules that are looked for most."""


class SonaePresenter(SystemPresenter[Position, Step]):
    """Sonae on the screen: the first army is red, the second blue."""

    def seats(self, _keys: tuple[str, ...]) -> tuple[str, ...]:
        """Return the colours of both sides, the near one's first."""
        return SEATS

    def keys(self, position: Position) -> tuple[str, str]:
        """Return the names of the armies."""
        return position.scenario.sides

    def sides(self, position: Position) -> tuple[str, str]:
        """Return the names of the armies as players know them."""
        return army_title(position, 0), army_title(position, 1)

    def title(self, position: Position) -> str:
        """Return the title of the scenario."""
        return _(position.scenario.title)

    def published_as(self, position: Position) -> tuple[str, str]:
        """Return "", as the game has only one box, and the scenario's English title."""
        return "", position.scenario.title

    def waits_for(self, position: Position) -> tuple[int, ...]:
        """Return the side that owes something or is acting; both if either may act, none once the battle is over."""
        if position.winner is not None:
            return ()
        if position.due:
            return (position.due[0].by,) if position.due[0].by >= 0 else BOTH
        side = self.acting(position)
        return BOTH if side is None else (side,)

    def winner(self, position: Position) -> int | None:
        """Return the side that has won; None while nobody has."""
        return position.winner

    def turn(self, position: Position) -> int:
        """Return the number of the turn."""
        return position.turn

    def rounds(self, position: Position) -> Rounds:
        """Return the turn, and how many turns the scenario has."""
        return Rounds(position.turn, position.scenario.turns, "")

    def acting(self, position: Position) -> int | None:
        """Return the side whose activation it is or that has to settle; None if neither."""
        if position.bonus:
            return position.side(position.bonus[0])
        if position.acting:
            return position.scenario.divisions[position.acting].side
        if position.due and position.due[0].by >= 0:
            return position.due[0].by
        return None

    def line(self, step: Step, before: Position, _people: People) -> str:
        """Return a step as a sentence."""
        return step_words(step, before)

    def start_line(self, position: Position) -> str:
        """Return a sentence on how the battle began."""
        return _("{scenario}: {one} vs {other}.").format(
            scenario=self.title(position), one=army_title(position, 0), other=army_title(position, 1)
        )

    def question(self, step: Step, position: Position) -> str:
        """Return the question that somebody asking about a step has in mind."""
        return question(step, position)

    def by_chance(self, step: Step, _before: Position) -> bool:
        """Return whether a step is a roll or a token out of the bag."""
        return isinstance(step, Roll | Token)

    def by_will(self, step: Step) -> bool:
        """Return whether a step was somebody's choice, not chance."""
        return not isinstance(step, Roll | Token)

    def begins(self, step: Step) -> bool:
        """Return whether a step begins a new card in the log: an activation, or the settling of a general."""
        return isinstance(step, Token | Settle)

    def is_agreed(self, step: Step) -> bool:
        """Return whether the players agreed on this step."""
        return isinstance(step, Agreed)

    def status(self, position: Position, people: People) -> Status:
        """Return the status bar: the turn, and a card for each army."""
        turns = position.scenario.turns
        form = _("Turn {n} of {all}") if turns else _("Turn {n}")
        return Status(
            round=position.turn,
            rounds=turns,
            deck=0,
            sides=tuple(_side(position, people, side, self.waits_for(position)) for side in BOTH),
            title=form.format(n=position.turn, all=turns),
            tells=(Tell("bag", str(sum(position.tokens))),),
        )

    def dice_owed(self, position: Position, people: People) -> str:
        """Return who rolls how many dice, and what for; "" if no dice are owed."""
        due = owed(position)
        if due is None or due.due.kind not in ROLLED or due.due.by < 0:
            return ""
        what = sentence(roll_title(position, due.due).rstrip("?"))
        if due.pool is None:  # one die for orders
            return what
        who = people.name(SEATS[due.due.by])
        return plural("{who} rolls {n} die. {what}", "{who} rolls {n} dice. {what}", due.pool.dice, who=who, what=what)

    def round_over(self, position: Position, _people: People) -> str:
        """Return a sentence that says that the turn before this position has ended."""
        return _("End of turn {n}.").format(n=position.turn - 1)

    def picture(self, position: Position, step: Step | None = None) -> FieldPicture:
        """Return the field as it stands, marked with what a step would do, or with what is owed."""
        return field_picture(position, step_sketch(position, step))

    def library(self, position: Position | None = None) -> Library:
        """Return the rules for looking things up."""
        switched = position.readings if position is not None else frozenset()
        played = Played(switched, OFTEN, EntryQuestions("sonae", language_code()))
        return book_library(sections(), rules(), readings(), played, _)

    def readings(self, _position: Position | None = None) -> Mapping[str, Reading]:
        """Return the questions that the published rules leave open."""
        return readings()

    def switched_readings(self, position: Position) -> frozenset[str]:
        """Return the names of the readings that are played by their other answer."""
        return position.readings

    def message_text(self, message: str, position: Position) -> str:
        """Return a message of the engine with the names that players know."""
        return sentence(with_titles(position, message))

    def meaning(self, key: str, picture: TablePicture | None) -> Meaning | None:
        """Return the meaning of a thing on the field, or of an icon."""
        shown = picture if isinstance(picture, FieldPicture) else None
        return meaning_on_field(key, shown) or find(key, SONAE_MEANINGS)

    def remedies(self, position: Position, step: Step, ruling: Ruling) -> tuple[str, ...]:
        """Return what the unit may do instead, if the objection is about distance or target."""
        name = getattr(step, "unit", "")
        known = next((unit for unit in options(position).units if unit.unit == name), None)
        if known is None:
            return ()
        against, found = {objection.rule for objection in ruling.objections}, []
        far = {Advance: known.ahead, FallBack: known.back, Wheel: known.aside}.get(type(step), 0.0)
        if "move.distance" in against and far:
            found.append(_("It can go {far} straight that way.").format(far=movements(far)))
        if isinstance(step, Fire) and "fire.range" in against:
            enemies = ", ".join(title(position, name) for name in known.targets)
            form = _("In range: {enemies}.") if enemies else _("No enemies in range.")
            found.append(form.format(enemies=enemies))
        return tuple(found)

    def changes(self, before: Position, after: Position) -> tuple[str, ...]:
        """Return what a step brought about by itself, in sentences."""
        return changes(before, after)

    def facts(self, position: Position, people: People) -> str:
        """Return the units left to each side and the acting division, in a line."""
        units = (plural("{n} unit", "{n} units", units_left(position, side)) for side in BOTH)
        left = " · ".join(f"{people.name(seat)}: {n}" for seat, n in zip(SEATS, units, strict=True))
        return left if not position.acting else f"{left} · {division_title(position, position.acting)}"

    def standing(self, position: Position) -> tuple[int, int]:
        """Return the number of units left to each side."""
        return units_left(position, 0), units_left(position, 1)

    def standing_words(self) -> str:
        """Return the word for what is counted: "Units left"."""
        return _("Units left")

    def fought(self, step: Step, before: Position) -> str:
        """Return the unit that was fired at, "melee" for the dice of a melee, or ""."""
        if isinstance(step, Roll) and before.due and before.due[0].kind == "melee":
            return "melee"
        return step.target if isinstance(step, Fire) else ""

    def outcome(self, position: Position, _people: People) -> tuple[str, ...]:
        """Return why the battle ended."""
        return (sentence(reason_words(position.reason)),)

    def settling_step(self, position: Position, step: Step | None, note: str) -> Step | None:
        """Return the agreed step that records a refused move all the same; None for other steps, or for a lost unit.

        step: the refused one; None for an agreed step that carries only the note.
        """
        if step is None:
            return Agreed(note=note)
        if not isinstance(step, Advance | FallBack | Wheel) or (unit := position.unit(step.unit)) is None:
            return None
        end = end_of(position, unit, step)
        row = {"x": round(end.x, 2), "y": round(end.y, 2), "facing": round(end.facing_deg, 1)}
        orders = max(0, position.orders - 1) if position.acting and not position.bonus else None
        return Agreed({step.unit: row}, orders, note=note)


def units_left(position: Position, side: int) -> int:
    """Return how many units a side has in the battle."""
    return sum(position.side(unit.name) == side for unit in position.units)


def _side(position: Position, people: People, side: int, asked: tuple[int, ...]) -> Side:
    """Return an army's status card: units, tokens in the bag, orders left, its general, and who wavers."""
    seat = SEATS[side]
    label = army_title(position, side)
    player = people.players.get(seat, "")
    bag = [Tell("bag", str(position.tokens[side]))]
    if position.acting and position.scenario.divisions[position.acting].side == side:
        rolls = bool(position.due) and position.due[0].kind == "orders"  # how many it has is not known yet
        bag += [] if rolls else [Tell("advance", str(position.orders))]
    general = position.general(side)
    sign = "cross" if general is None else "maku" if position.modes[side] == "encamped" else "horse"
    hurt = sum(position.side(unit.name) == side and unit.status != "fresh" for unit in position.units)
    return Side(
        faction=seat,
        label=f"{label} · {player}" if player else label,
        points=units_left(position, side),
        commanders_left=0,
        standby=0,
        commanders=0,
        hand=0,
        initiative=False,
        to_move=side in asked and len(asked) == 1,
        ahead=objective_holder(position) == side,
        player=player,
        tells=(tuple(bag), (Tell(sign, ""), *((Tell("hurt", str(hurt)),) if hurt else ()))),
    )


SONAE = SonaePresenter()
PORTRAIT = Portrait(SONAE)
