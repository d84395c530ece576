"""Which game is on the table: a list of all boards, and the one that is chosen as a map."""

from __future__ import annotations

from companion.content.board_choice import PRACTICE, boards
from companion.core.language import _, plural
from companion.scenes.base.map_picture import small_map, start_picture
from companion.scenes.base.new_game import GameChoice
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import SubScene
from companion.scenes.setup.state import SetUp
from companion.scenes.systems import card_picture
from companion.systems.orders import SYSTEM
from companion.text.orders import board_title, practice_note
from companion.text.saved_games import kind, system_title
from companion.ui.screen import Button, Buttons, Intent, Look, Screen, Text, back_button
from engine.orders.board import Board
from engine.systems import SYSTEMS


class BoardScene(SubScene):
    """A touch shows a board; it is the one that is played when people go back. The other games are here too."""

    def __init__(self, setup: SetUp, games: GameChoice, back: Scene) -> None:
        super().__init__(back)
        self.setup = setup
        self.games = games

    def show(self) -> Screen:
        """Show a button for each board and system, and the map of the board chosen."""
        board = self.setup.board
        buttons = []
        for choice in boards():
            look: Look = "chosen" if choice is board else "plain"
            picture = small_map(start_picture(choice))
            buttons.append(
                Button(
                    board_title(choice), Intent("board", choice.name), look, note=board_note(choice), picture=picture
                )
            )
        others = [system for system in SYSTEMS if system != SYSTEM.name]
        return Screen(
            title=_("Which game?"),
            blocks=(
                Buttons(tuple(buttons), 2),
                Buttons(tuple(map(_system_button, others)), 2),
                Text(" ".join((board_facts(board), board_caveat(board)))),
            ),
            actions=(back_button("primary"),),
            map=start_picture(board),
            page=self.page,
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Choose one, turn the page, or go back with it."""
        if intent.verb == "board":
            self.setup.play(intent.what)
        elif intent.verb == "system" and intent.what in SYSTEMS:
            return self.games(intent.what, self.back)
        return super().touch(intent)


def _system_button(system: str) -> Button:
    return Button(system_title(system), Intent("system", system), note=kind(system), picture=card_picture(system))


def board_note(board: Board) -> str:
    """Say in a few words how well a board is known."""
    return practice_note(board) or {"printed": _("as printed"), "owner": _("real printed map")}[board.known]


def board_facts(board: Board) -> str:
    """Sum up the board in a sentence: land areas, victory points and commanders."""
    land = sum(area.kind == "land" for area in board.areas)
    points = sum(board.vps)
    form = _("{areas}, {points}, {commanders} for each player.")
    return form.format(
        areas=plural("{n} land area", "{n} land areas", land),
        points=plural("{n} victory point", "{n} victory points", points),
        commanders=plural("{n} commander", "{n} commanders", board.mode.commanders),
    )


def board_caveat(board: Board) -> str:
    """Warn in a sentence that this is an invented practice map; "" for any other board."""
    if board.known != PRACTICE:
        return ""
    return _("Practice map: we don't have the printed one, so this one is invented.")
