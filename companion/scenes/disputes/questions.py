"""Questions to the rules put as steps: what a player would mean by a space or a card now, judged for either faction."""

from __future__ import annotations

from dataclasses import replace

from companion.core.language import _
from companion.scenes.disputes.reasons import OrdersQuestion
from companion.scenes.disputes.remedies import card_remedies, space_remedies
from companion.scenes.orders.aiming import attempt
from companion.scenes.story.presenter import RulesQuestion
from companion.text.orders import card_title, faction_name, sentence, space_title
from engine.orders import game
from engine.orders.mode import Card
from engine.orders.position import Position
from engine.orders.steps import Pass, Play
from engine.orders.turn import ready


def as_mover(position: Position, faction: str) -> Position:
    """Return the position with this faction to move; a turn that only waits for cards counts as over."""
    here = ready(position, Pass())
    return replace(here, to_move=here.board.mode.faction_index[faction]) if here.turn is None else here


def space_question(position: Position, faction: str, name: str) -> OrdersQuestion:
    """Judge whether this faction may deploy to this space."""
    here = as_mover(position, faction)
    space = here.board.space(name)
    step = attempt(here, space)
    ruling = game.examine(here, step)
    question = _("{who}: {space}?").format(who=faction_name(faction), space=space_title(space))
    remedies = () if ruling.legal else space_remedies(here, step, ruling)
    return RulesQuestion(question, here, ruling, step, preface(position, faction), remedies)


def preface(position: Position, faction: str) -> str:
    """Return a note that it is the other faction's turn, or ""."""
    here = ready(position, Pass())
    if here.winner is not None or here.turn is not None or here.to_move_name == faction:
        return ""
    form = _("It's {other}'s turn. This is for {who}'s next turn, with the board as it is.")
    return form.format(other=faction_name(here.to_move_name), who=faction_name(faction))


# ---- cards ------------------------------------------------------------------------------------


def card_question(position: Position, faction: str, name: str) -> OrdersQuestion:
    """Judge whether this faction may play this card now."""
    card = position.board.mode.cards[name]
    question = _("{who}: {card}?").format(who=faction_name(faction), card=card_title(position.board, name))
    step = card_step(position, faction, card)
    ruling = game.examine(position, step)
    remedies = () if ruling.legal else card_remedies(position, faction, card)
    return RulesQuestion(question, position, ruling, step, sentence(_(card.text)), remedies)


def card_step(position: Position, faction: str, card: Card) -> Play:
    """Return the play that a player would mean: in the first area where its effect is legal, if it needs one."""
    plain = Play(card.name, faction)
    if card.verb not in ("again", "place"):
        return plain
    for area in position.board.areas:
        if card.verb == "again":
            step = replace(plain, target=area.name)
        else:
            step = replace(plain, place=((area.name, card.unit, 1),))
        if game.judge(position, step).legal:
            return step
    return plain
