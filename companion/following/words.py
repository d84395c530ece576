"""The events of a game for people: one plain sentence each."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.core.language import _, plural
from companion.following.follower import Event
from companion.terminal.orders import REASONS as ORDERS
from engine.generals import words as generals
from engine.sonae import words as sonae
from engine.words import mark
from intake.text import one_line

CAMERA = {
    "off": mark("the camera is off"),
    "lost": mark("the camera doesn't see the board"),
    "waiting": mark("the camera is starting"),
    "hand": mark("a hand is over the board"),
    "moving": mark("something is moving on the board"),
    "turn": mark("a turn is being entered in Gunbai"),
    "playing": mark("a turn is being played on the board"),
    "dice": mark("the camera sees the dice"),
    "sync": mark("the board matches the game"),
    "unsure": mark("the camera isn't sure what is on the board"),
    "proposal": mark("the camera has seen a turn, to be confirmed"),
    "out": mark("the board and the game differ"),
    "behind": mark("the board is behind the game"),
    "ignored": mark("the camera is being ignored"),
}


def _camera(event: Event) -> str:
    state = str(event["state"])
    return _(CAMERA[state]) if state in CAMERA else _("the camera: {state}").format(state=state)


def _game(event: Event) -> str:
    if event["game"] is None:
        return _("no game on the table")
    players = event["players"]
    sides = [_(side) + (f" ({players[side]})" if players.get(side) else "") for side in event["sides"]]
    told = [str(event["game"])] + ([str(event["board"])] if event["board"] else [])
    told += [_("{who} against {other}").format(who=sides[0], other=sides[1])] if len(sides) == 2 else sides
    return ", ".join([*told, plural("{n} step", "{n} steps", event["steps"])])


def _score(event: Event) -> str:
    sides = [" ".join((_(side), _numbers(value))) for side, value in event["score"].items()]
    return _("score: {numbers}").format(numbers=", ".join(sides) or "–")


def _numbers(value: object) -> str:
    if isinstance(value, Mapping):
        return f"({', '.join(f'{name} {number}' for name, number in value.items())})"
    return str(value)


def _winner(event: Event) -> str:
    if not event["winner"]:
        return _("nobody has won yet")
    if not event["reason"]:
        return _("{who} wins").format(who=_(event["winner"]))
    return _("{who} wins: {why}").format(who=_(event["winner"]), why=_why(event["reason"]))


def _why(reason: str) -> str:
    """Say why a game ended; a reason that is not known here by its name."""
    if reason in ORDERS:
        return _(ORDERS[reason])
    if reason in sonae.REASONS:
        return sonae.reason_words(reason)
    return generals.reason_words(reason) if reason in generals.REASONS else reason


_TOLD: Mapping[str, Callable[[Event], str]] = {
    "app": lambda event: _("Gunbai is running") if event["running"] else _("Gunbai isn't running"),
    "camera": _camera,
    "game": _game,
    "step": lambda event: f"{event['n']}: {event['text']}",
    "undo": lambda event: plural("undone: {n} step is left", "undone: {n} steps are left", event["n"]),
    "round": lambda event: _("round {n}").format(n=event["round"]),
    "turn": lambda event: (
        _("{who} to move").format(who=_(event["to_move"])) if event["to_move"] else _("nobody to move")
    ),
    "owed": lambda event: (
        str(event["owed"].get("message") or event["owed"].get("wants")) if event["owed"] else _("nothing is owed")
    ),
    "score": _score,
    "winner": _winner,
}


def in_words(event: Event) -> str:
    """Tell an event in one sentence; one that is not known here by its name."""
    tell = _TOLD.get(event["event"])
    return one_line(tell(event) if tell is not None else event["event"])
