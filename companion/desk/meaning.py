"""What a side's buttons mean by what that side's screen shows: the bright button, the "no", the way back.

Each button does what a finger would do on that screen; nothing here is known to a screen alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.ui.screen import (
    Block,
    Button,
    Buttons,
    Checklist,
    Choice,
    Columns,
    Dice,
    Intent,
    Pledge,
    Pledges,
    Screen,
)

NO = ("accept", "none", "skip", "decline", "pass")
"""What the pass button touches, the first one there is: no card, none of these turns, no answer, no, pass."""
BACK = ("cover", "back", "cancel", "close", "decline", "undo")
"""What the undo button touches, the first one there is: what is open is closed, then the last step is taken back."""


def buttons(screen: Screen) -> Iterator[Button]:
    """Yield all buttons of a screen, those along its lower edge last."""
    yield from _buttons(screen.blocks)
    yield from screen.actions


def _buttons(blocks: Iterable[Block]) -> Iterator[Button]:
    for block in blocks:
        if isinstance(block, Buttons | Choice):
            yield from block.buttons
        elif isinstance(block, Columns):
            yield from _buttons((*block.left, *block.right))


def pledges(screen: Screen) -> tuple[Pledge, ...]:
    """Return the buttons by which each player agrees, on a screen that needs both."""
    return tuple(pledge for block in screen.blocks if isinstance(block, Pledges) for pledge in block.pledges)


def proposed_intent(screen: Screen, faction: str = "") -> Intent | None:
    """Return what the screen proposes to a side: its pledge, else the bright button, else its list as done; or None."""
    own = [pledge.intent for pledge in pledges(screen) if pledge.faction == faction or not faction]
    if own:
        return own[0]
    actions = [action.intent for action in screen.actions if action.look == "primary"]
    bright = [button.intent for button in _buttons(screen.blocks) if button.look == "primary"]
    listed = any(isinstance(block, Checklist) for block in screen.blocks)
    return next(iter((*actions, *bright, *((Intent("did"),) if listed else ()))), None)


def refusal(screen: Screen) -> Button | None:
    """Return the button that says no; None if the screen has none."""
    return _first(screen, NO)


def way_back(screen: Screen) -> Intent | None:
    """Return the intent that goes one back: clear the last die, close what is open, or undo; None without one."""
    for block in screen.blocks:
        if isinstance(block, Dice) and block.entering and any(face is not None for face in block.faces):
            return Intent("undie", "", sum(face is not None for face in block.faces) - 1)
    found = _first(screen, BACK)
    return found.intent if found else None


def _first(screen: Screen, verbs: Iterable[str]) -> Button | None:
    """Return the screen's button with the first of these verbs that it has; None if it has none of them."""
    found = {button.intent.verb: button for button in reversed(list(buttons(screen)))}
    return next((found[verb] for verb in verbs if verb in found), None)


def is_live(screen: Screen, intent: Intent) -> bool:
    """Return whether the buttons with this intent can be pressed, rather than only say why not."""
    return all(button.look != "off" for button in buttons(screen) if button.intent == intent)
