"""General Orders as the screens tell of it: its steps in sentences, its map, and what its book leaves open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.core.language import _, language_code, plural
from companion.games.match import GameSession
from companion.games.rules_search import Library, library_of
from companion.games.saved.shelf import Saved
from companion.games.status import Rounds
from companion.scenes.base.map_picture import Marks, Overlay, map_picture, status, turn_traces
from companion.scenes.disputes.questions import remedies, switch_effects
from companion.scenes.disputes.reasons import OrdersQuestion, criterion_map, criterion_words, is_by_chain, named_areas
from companion.scenes.story.presenter import SystemPresenter, TablePicture, Told
from companion.scenes.story.tables import Portrait
from companion.text.log import start_words, step_and_effects, step_sentence
from companion.text.meanings.meaning import Meaning, find
from companion.text.meanings.orders import CARDS, meaning_on_map
from companion.text.meanings.orders import ORDERS as ORDERS_MEANINGS
from companion.text.orders import area_name, faction_name, game_title, question, step_line
from companion.text.people import People
from companion.text.score import made_up, reasons
from companion.ui.screen import Block, MapPicture, Status, Text
from engine.orders import game
from engine.orders.board import load_board
from engine.orders.position import Position
from engine.orders.score import HQ_LOST, score
from engine.orders.steps import NO_OTHER_CORRECTIONS, Accept, Agreed, Deploy, Pass, Reroll, Roll, Step
from engine.orders.turn import ready
from engine.rulebook import Reading
from engine.ruling import Finding, Ruling

MOST_EFFECTS = 4


class OrdersPresenter(SystemPresenter[Position, Step]):
    """Presents General Orders to the scenes; its sides are the factions of the mode, named by colour."""

    lines_on_card = None
    cards_in_chapter = 1

    def seats(self, keys: tuple[str, ...]) -> tuple[str, ...]:
        """Return the same factions, as their names are colours of the theme."""
        return keys

    def keys(self, position: Position) -> tuple[str, str]:
        """Return both factions in the order of the board."""
        one, other = position.board.factions
        return one, other

    def sides(self, position: Position) -> tuple[str, str]:
        """Return both factions' names as players read them."""
        one, other = position.board.factions
        return faction_name(one), faction_name(other)

    def title(self, position: Position) -> str:
        """Return the name of the board."""
        return game_title(position.board)

    def published_as(self, position: Position) -> tuple[str, str]:
        """Return the English names of the box ("Sengoku Jidai") and its map ("Rivers")."""
        box, _colon, name = position.board.mode.title.partition(": ")
        return box, name

    def waits_for(self, position: Position) -> tuple[int, ...]:
        """Return the sides that the table waits for: who owes a step or is to move, then who may play a card."""
        if position.winner is not None:
            return ()
        owed, index = game.owed(position), position.board.mode.faction_index
        if owed is None:
            return (position.to_move,)
        return tuple(dict.fromkeys((index[owed.by], *(index[faction] for faction, _card in owed.cards))))

    def winner(self, position: Position) -> int | None:
        """Return the side that has won, or None."""
        return position.winner

    def turn(self, position: Position) -> int:
        """Return the number of the round, which divides the log here as turns do elsewhere."""
        return position.round

    def rounds(self, position: Position) -> Rounds:
        """Return the round, the number of rounds and the holder of the initiative."""
        return Rounds(position.round, position.board.mode.rounds, position.initiative_name)

    def acting(self, position: Position) -> int | None:
        """Return the side to move."""
        return position.to_move

    # ---- what it shows ------------------------------------------------------------------------------

    def status(self, position: Position, people: People) -> Status:
        """Return the status line: the round, the deck, and both sides."""
        return status(position, people.players)

    def picture(self, position: Position, _step: Step | None = None) -> MapPicture:
        """Return the map of a position."""
        return map_picture(position, Marks(), None)

    def final_picture(self, position: Position) -> MapPicture:
        """Return the map with both sides' supply, and who scores each area."""
        return map_picture(position, Marks(), None, Overlay(supply=True, points=True))

    def moment_picture(self, match: GameSession[Position, Step], number: int) -> MapPicture:
        """Return the map after this many steps, with traces of the turn to which the last step belongs."""
        traces = turn_traces(match.positions[: number + 1], match.steps[:number])
        return map_picture(match.positions[number], Marks(), None, Overlay(traces=traces))

    def moment_words(self, position: Position, step: int, of: int) -> str:
        """Return a line that names a moment of the game: its round, and which step of how many it is."""
        form = _("Round {n} – step {step} of {all} (nothing is changed)")
        return form.format(n=position.round, step=step, all=of)

    def facts(self, position: Position, people: People) -> str:
        """Return both sides' points in a line."""
        points = score(position).vp
        return " · ".join(
            _("{who}: {points}").format(
                who=people.name(faction), points=plural("{n} point", "{n} points", points[faction])
            )
            for faction in position.board.factions
        )

    # ---- how it went --------------------------------------------------------------------------------

    def standing(self, position: Position) -> tuple[int, int]:
        """Return both sides' points."""
        one, other = (score(position).vp[faction] for faction in position.board.factions)
        return one, other

    def standing_words(self) -> str:
        """Return the word for what `standing` counts: "Points"."""
        return _("Points")

    def fought(self, step: Step, before: Position) -> str:
        """Return the area in which the step deploys against enemies; "" if there are none."""
        if not isinstance(step, Deploy):
            return ""
        here, area = ready(before, step), before.board.space(step.space).area
        foes = here.units_in(area).keys() - {here.to_move_name} if area is not None else ()
        return area if area is not None and foes else ""

    def is_sudden(self, position: Position) -> bool:
        """Return whether the game ended by the fall of a headquarters."""
        return position.reason == HQ_LOST

    def outcome(self, position: Position, people: People) -> tuple[str, ...]:
        """Return sentences on what decided the game, points that did not count, and a board that is made up."""
        return (*reasons(position, people), *made_up(position))

    # ---- what is said aloud --------------------------------------------------------------------------

    def dice_owed(self, position: Position, people: People) -> str:
        """Return who rolls how many dice for which area, in a sentence; "" if no dice are owed."""
        owed = game.owed(position)
        if owed is None or owed.wants != "roll":
            return ""
        who, area = people.name(owed.by), area_name(owed.area or "")
        form = plural(
            "{who} rolls {n} die for {area}", "{who} rolls {n} dice for {area}", owed.dice, who=who, area=area
        )
        return f"{form}."

    def round_over(self, position: Position, people: People) -> str:
        """Return the news that a round has ended: the points, and who begins the next one."""
        counted, who = score(position).vp, people.name(position.to_move_name)
        points = ", ".join(f"{people.name(faction)} {counted[faction]}" for faction in position.board.factions)
        form = _("End of round {last}: {points}. {who} begins round {n}.")
        return form.format(last=position.round - 1, points=points, who=who, n=position.round)

    def secret(self, position: Position) -> frozenset[str]:
        """Return the titles of all cards of the mode in both languages."""
        cards = position.board.mode.cards.values()
        return frozenset(title for card in cards for title in (card.title, card.title_pt) if title)

    # ---- the log ------------------------------------------------------------------------------------

    def start_words(self, match: GameSession[Position, Step], people: People) -> str:
        """Say who had the initiative at the start, and what the app decided by chance."""
        return start_words(match.positions[0], match.chance, people)

    def start_line(self, position: Position) -> str:
        """Say who had the initiative at the start."""
        return start_words(position, {}, People(position.board.factions))

    def line(self, step: Step, before: Position, people: People) -> str:
        """Describe a step in a sentence."""
        return step_sentence(step, before, people)

    def line_with_effects(self, step: Step, before: Position, _after: Position, people: People) -> str:
        """Describe a step with what followed from it: losses, a new round, the winner."""
        return step_and_effects(step, before, people)

    def line_to_agree(self, step: Step, before: Position, _people: People) -> str:
        """Return what a step would set, in a sentence that doesn't say who agrees."""
        return step_line(step, before) + "."

    def is_silent(self, step: Step) -> bool:
        """Return whether the log leaves a step out: a declined chance to play a card."""
        return isinstance(step, Accept)

    def silent_words(self) -> str:
        """Return the sentence for steps that the log leaves out: "No card was played."."""
        return _("No card was played.")

    def by_chance(self, step: Step, before: Position) -> bool:
        """Return whether a step involves chance: dice, or drawing cards."""
        if isinstance(step, Deploy):
            return before.board.space(step.space).action.verb == "draw"
        return isinstance(step, Roll | Reroll)

    def by_will(self, step: Step) -> bool:
        """Return whether a step was a player's decision: any but a roll, or a card not played."""
        return not isinstance(step, Roll | Accept)

    def is_agreed(self, step: Step) -> bool:
        """Return whether the step is one that both players agreed on."""
        return isinstance(step, Agreed)

    def marks(self, step: Step) -> tuple[str, ...]:
        """Return the log's mark of an agreed step: "set by hand" for a correction, else "agreed"; else none."""
        if not isinstance(step, Agreed):
            return ()
        by_hand = step.areas or step.spaces or step.other != NO_OTHER_CORRECTIONS
        return (_("set by hand"),) if by_hand else (_("agreed"),)

    def parts(self, match: Told[Position, Step], start: int) -> Iterator[tuple[range, int]]:
        """Yield (step indices, round) for each turn from this step on; a deployment, pass or agreement starts one."""
        steps, positions = match.steps, match.positions
        for i in range(start + 1, len(steps) + 1):
            if i == len(steps) or isinstance(steps[i], Deploy | Pass | Agreed):
                yield range(start, i), ready(positions[start], steps[start]).round
                start = i

    def part_side(self, match: GameSession[Position, Step], steps: range) -> int:
        """Return the side whose turn it is at the first of these steps."""
        return ready(match.positions[steps.start], match.steps[steps.start]).to_move

    def chapter_title(self, first: int, _last: int) -> str:
        """Name a chapter of the log: each covers one round."""
        return _("Round {n}").format(n=first)

    # ---- the rules ----------------------------------------------------------------------------------

    def library(self, position: Position) -> Library:
        """Return the searchable rules of the board's mode, with the readings in play."""
        return library_of(position.board.mode, _, position.readings, language_code())

    def readings(self, position: Position) -> Mapping[str, Reading]:
        """Return the questions that the mode's rulebook leaves open, by name."""
        return position.board.mode.readings

    def switched_readings(self, position: Position) -> frozenset[str]:
        """Return the names of the readings played with their other answer."""
        return position.readings

    def reading_effects(self, position: Position, name: str) -> tuple[Block, ...]:
        """Return blocks on what switching a reading to its other answer would change on this board now."""
        if position.turn is not None:
            return (Text(_("Finish this turn to see what it changes."), "quiet"),)
        lines = switch_effects(position, name)
        if not lines:
            return (Text(_("Right now it changes nothing on this board."), "quiet"),)
        more = len(lines) - MOST_EFFECTS
        last = (Text(_("… and {n} more.").format(n=more), "quiet"),) if more > 0 else ()
        return (Text(_("With the other answer, now:"), "strong"), *map(Text, lines[:MOST_EFFECTS]), *last)

    def reading_step(self, name: str, answer: str) -> Step:
        """Return the step by which both players agree to play a reading by this answer from now on."""
        return Agreed(readings=((name, answer),))

    def question(self, step: Step, position: Position) -> str:
        """Return the question whether a step is allowed, in words."""
        return question(step, position)

    def criterion(self, finding: Finding, question: OrdersQuestion) -> str:
        """Describe a criterion in a sentence, with spaces and cards under their printed names."""
        return criterion_words(finding, question)

    def meaning(self, key: str, picture: TablePicture | None) -> Meaning | None:
        """Return what an area, a space or an icon means, by its key; None if it is unknown."""
        shown = picture if isinstance(picture, MapPicture) else None
        return meaning_on_map(key, shown) or find(key, ORDERS_MEANINGS)

    def entry_of(self, key: str) -> str:
        """Return the key of the rules' entry on a bonus token or card; "" for anything else."""
        kind, _colon, what = key.partition(":")
        if kind in CARDS:
            return f"card:{what.rpartition('/')[2]}"
        return f"bonus:{what}" if kind in ("bonus", "token") else ""

    def is_pictured(self, finding: Finding, question: OrdersQuestion) -> bool:
        """Return whether a supply chain decides the criterion and the map can show it."""
        return is_by_chain(finding) and bool(named_areas(question.position.board, finding.message))

    def picture_of(self, question: OrdersQuestion, finding: Finding | None) -> MapPicture:
        """Return the map that marks what a criterion is about."""
        return criterion_map(finding, question)

    def remedies(self, position: Position, step: Step, ruling: Ruling) -> tuple[str, ...]:
        """Return what would make a refused step legal, in sentences."""
        return remedies(position, step, ruling)


ORDERS = OrdersPresenter()


class OrdersPortrait(Portrait):
    """Presents games of General Orders away from their table, as on the shelf."""

    def library(self, game: Saved) -> Library:
        """Return the searchable rules of the mode of a saved game's board."""
        return library_of(load_board(game.board).mode, _, language=language_code())


PORTRAIT = OrdersPortrait(ORDERS)
