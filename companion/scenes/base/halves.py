"""The table in two halves: what is asked, in half the room, and what the other player sees meanwhile. Of any system."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from companion.core.language import _
from companion.ui.screen import Block, Button, Dice, Intent, Log, Look, Prompt, Text


def without_log(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Leave out the log blocks."""
    return tuple(block for block in blocks if not isinstance(block, Log))


def in_half(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """Fit a panel into half the screen: move its hint into the free room and drop the log, which the other half has."""
    if not blocks or not isinstance(blocks[0], Prompt):
        return without_log(blocks)
    first, rest = blocks[0], without_log(blocks[1:])
    if any(isinstance(block, Dice) for block in rest):  # the dice need the room
        return (Text(first.text, "strong"), *rest, *((Log((first.hint,)),) if first.hint else ()))
    return (replace(first, hint=""), *rest, *((Log((first.hint,)),) if first.hint else ()))


def watcher_blocks(
    blocks: tuple[Block, ...], prompt: Prompt, news: tuple[Block, ...], log: Iterable[str]
) -> tuple[Block, ...]:
    """Return what the waiting player sees: what the other one is doing, what is new, and the log.

    prompt: says what the other player is doing if the panel does not begin with a prompt of its own.
    """
    first = blocks[0] if blocks else prompt
    doing = first if isinstance(first, Prompt) else prompt
    return (replace(doing, hint=""), *news, Log(tuple(log)))


def ask_button() -> Button:
    """Make the button that leads to settling an argument."""
    return Button(_("Ask"), Intent("dispute"), "quiet", "scales", spot="ask")


def undo_button(look: Look = "quiet") -> Button:
    """Take the last step back."""
    return Button(_("Undo"), Intent("undo"), look, "undo", spot="undo")


def redo_button() -> Button:
    """Do again what was taken back."""
    return Button(_("Redo"), Intent("redo"), "quiet", "redo", spot="undo")


def log_button() -> Button:
    """Make the button that opens the log."""
    return Button(_("Log"), Intent("log"), "quiet", "log")
