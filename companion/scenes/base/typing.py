"""Text typed by touch or on a keyboard: a name, a note, a search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from companion.core.language import _
from companion.scenes.base.stage import Scene
from companion.ui.screen import Block, Button, Intent, Key, Keys, Look, Screen, Text, TextLine, cancel_button

LETTERS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
LETTERS_NARROW = ("abcdef", "ghijkl", "mnopqr", "stuvwx", "yz'-")
ACCENTS = ("áàâãéêíóôõ", "úüçñäëïöß", "èìòùîûå")
ACCENTS_NARROW = ("áàâãéê", "íóôõúü", "çñäëïö", "èìòùîû", "åß'-")
SIGNS = ("1234567890", "-'.,:;!?&", '()/+=#"')
SIGNS_NARROW = ("123456", "7890-'", ".,:;!?", "&()/+=", '#"')
ERASE, ENTER = "\b", "\n"  # as a keyboard sends them
PAGES = {
    "letters": (LETTERS, LETTERS_NARROW),
    "accents": (ACCENTS, ACCENTS_NARROW),
    "signs": (SIGNS, SIGNS_NARROW),
}


class Typed:
    """A line of text while it is typed; any scene can show it and its keyboard as blocks."""

    def __init__(self, text: str = "", most: int = 40, *, names: bool = False) -> None:
        self.text = text[:most]
        self.most = most
        self._names = names  # each word begins with a capital
        self._page = "letters"
        self._shift = self._begins_word()

    def line(self, hint: str = "") -> TextLine:
        """Return the text typed so far, with a hint to show while it is empty."""
        return TextLine(self.text, hint)

    def keys(self) -> Keys:
        """Return the keyboard in its current state."""
        wide, narrow = PAGES[self._page]
        tools = self._tools()
        return Keys((*map(self._row, wide), tools), (*map(self._row, narrow), tools))

    def _row(self, letters: str) -> tuple[Key, ...]:
        shown = (letter.upper() if self._shift and letter != "ß" else letter for letter in letters)
        return tuple(Key(letter, Intent("type", letter)) for letter in shown)

    def _tools(self) -> tuple[Key, ...]:
        """Return the keys of the last row: capitals, other pages, space and erase."""
        looks: dict[str, Look] = {self._page: "chosen"}
        pages = tuple(
            Key(label, Intent("keys", "letters" if name in looks else name), look=looks.get(name, "plain"), span=1.05)
            for name, label in (("accents", "áêç"), ("signs", "123"))
        )
        shift = Key("", Intent("keys", "shift"), look="chosen" if self._shift else "plain", sign="shift", span=1.05)
        space = Key(_("space"), Intent("type", " "), span=1.8)
        return (shift, *pages, space, Key("", Intent("type", ERASE), sign="erase", span=1.05))

    def touch(self, intent: Intent) -> bool:
        """Handle a touched or typed key; return whether the text has changed."""
        before = self.text
        match intent.verb:
            case "type" if intent.what == ERASE:
                self.text = self.text[:-1]
                self._shift = self._begins_word()
            case "type":
                self._type(intent.what)
            case "keys" if intent.what == "shift":
                self._shift = not self._shift
            case "keys" if intent.what in PAGES:
                self._page = intent.what
        return self.text != before

    def _type(self, letter: str) -> None:
        """Add one printable character where there is room; an accent leads back to the letters."""
        if len(letter) != 1 or not letter.isprintable() or len(self.text) >= self.most:
            return
        if letter == " " and (not self.text or self.text.endswith(" ")):
            return
        self.text += letter
        self._shift = self._begins_word()
        if self._page == "accents":
            self._page = "letters"

    def _begins_word(self) -> bool:
        return self._names and (not self.text or self.text.endswith(" "))


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to be answered by typing: the prompt, the text to start from, and the most letters.

    hint: shown while the line is empty; names: words begin with capitals; empty: whether an empty answer counts.
    """

    prompt: str
    text: str = ""
    hint: str = ""
    most: int = 40
    names: bool = False
    empty: bool = False


class TypingScene:
    """Asks for a line of text. done: takes the text and returns the scene that follows; cancelling calls nothing."""

    whole = True  # a keyboard needs the whole screen, in the two-sided layout too

    def __init__(self, ask: Ask, done: Callable[[str], Scene | None], back: Scene) -> None:
        self.ask = ask
        self.typed_text = Typed(ask.text, ask.most, names=ask.names)
        self._then = done
        self._back = back

    def show(self) -> Screen:
        """Show the prompt, the text line and the keyboard."""
        blocks: tuple[Block, ...] = (
            Text(self.ask.prompt, "title"),
            self.typed_text.line(self.ask.hint),
            self.typed_text.keys(),
        )
        done = Button(_("Done"), Intent("done"), "primary" if self._ready() else "off")
        return Screen(blocks=blocks, actions=(cancel_button(), done))

    def _ready(self) -> bool:
        return self.ask.empty or bool(self.typed_text.text.strip())

    def touch(self, intent: Intent) -> Scene | None:
        """Handle a key, confirm the text, or cancel."""
        if intent.verb == "cancel":
            return self._back
        if intent.verb == "done" or intent == Intent("type", ENTER, seat=intent.seat):
            return self._then(self.typed_text.text.strip()) if self._ready() else None
        self.typed_text.touch(intent)
        return None
