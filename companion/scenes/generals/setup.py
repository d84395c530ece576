"""A new card game in few touches: who plays with which deck; who moves first; then the cards are laid out."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.errors import MatchError
from companion.core.language import _
from companion.games.match import AnyMatch
from companion.games.saved.shelf import known_names, shelf
from companion.scenes.base.new_game import (
    NAME_MOST,
    NAMES_SHOWN,
    GameChoice,
    HouseRulesScene,
    answers_summary,
    game_button,
    with_people,
)
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.base.sub_scene import SubScene
from companion.scenes.base.typing import Ask, TypingScene
from companion.scenes.generals.decks import DeckChoiceScene
from companion.scenes.generals.table import DuelTable
from companion.scenes.story.tables import GameTable
from companion.text.faults import fault_words
from companion.text.generals import deck_costing, deck_note, deck_sample, deck_title, is_playable
from companion.text.orders import card_count, faction_name
from companion.ui.screen import (
    Block,
    Button,
    Buttons,
    Columns,
    DeckCards,
    Intent,
    Look,
    Prompt,
    Screen,
    Slip,
    Stepper,
    Steppers,
    Text,
    back_button,
)
from engine.errors import BadTable, EngineError
from engine.generals.cards import MOST_COST, Deck, load_deck
from engine.generals.game import START_HAND, readings
from engine.generals.position import SIDES, Position
from engine.generals.steps import Step
from engine.rulebook import Reading

SAMPLE = 2  # cards to show of a deck, so that people recognise it


class DuelSetupScene(SubScene):
    """The first page of a card game's set-up: who plays which side, and with which deck."""

    def __init__(self, stage: Stage, home: Scene, games: GameChoice) -> None:
        super().__init__(home)
        self.stage = stage
        self.games = games
        self.setup = DuelSetUp(stage)
        self.banner = ""

    def show(self) -> Screen:
        """Show both sides, one in each column."""
        left, right = map(self._side, SIDES)
        more = (
            Button(_("House rules"), Intent("house"), "quiet", note=answers_summary(self.setup.switched)),
            Button(_("Swap sides"), Intent("swap"), "quiet"),
        )
        actions = (
            back_button(),
            Button(_("Quick start"), Intent("begin"), note=_("Gunbai picks who goes first")),
            Button(_("Next"), Intent("next"), "primary"),
        )
        return Screen(
            title=_("Who plays?"),
            blocks=(Buttons((game_button(SYSTEM), *more), 3), Columns(left, right)),
            actions=actions,
            banner=self.banner,
            banner_tone="bad",
            page=self.page,
        )

    def _side(self, who: str) -> tuple[Block, ...]:
        """Show a side with its player and deck, and offer names to choose from."""
        chosen, deck = self.setup.players[who], self.setup.deck(who)
        look: Look = "plain" if is_playable(deck) else "danger"
        names = [name for name in self.setup.names if name != chosen][:NAMES_SHOWN]
        buttons = [Button(name, Intent("name", f"{who}/{name}")) for name in names]
        buttons.append(
            Button(_("New name") if names or chosen else _("Type a name"), Intent("type-name", who), "quiet")
        )
        return (
            Prompt(who, chosen or faction_name(who)),
            Buttons((Button(deck_title(deck), Intent("deck", who), look, "deck", deck_note(deck)),), 1),
            deck_sample(deck, SAMPLE),
            Buttons(tuple(buttons), len(buttons)),
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Choose a name or deck, open what was touched, or go back."""
        self.banner = ""
        match intent.verb:
            case "games":
                return self.games("", self)
            case "name":
                who, _slash, name = intent.what.partition("/")
                self.setup.name_player(who, name)
            case "type-name":
                return self._type(intent.what)
            case "deck" if intent.what in SIDES:
                asked = _("Which deck does {who} play?").format(who=self.setup.player(intent.what))
                return DeckChoiceScene(asked, self.setup.decks, intent.what, self)
            case "swap":
                self.setup.swap()
            case "house":
                return HouseRulesScene(self.setup, self)
            case "next" if self._ready():
                return FirstScene(self)
            case "begin" if self._ready():
                return self.begin()
        return super().touch(intent)

    def _type(self, who: str) -> Scene:
        def done(name: str) -> Scene:
            self.setup.name_player(who, name)
            return self

        asked = _("Who plays {who}?").format(who=faction_name(who))
        return TypingScene(Ask(asked, self.setup.players[who], most=NAME_MOST, names=True, empty=True), done, self)

    def _ready(self) -> bool:
        """Return whether both decks may be played; otherwise the banner says which one may not."""
        wrong = next((who for who in SIDES if not is_playable(self.setup.deck(who))), None)
        if wrong is not None:
            form = _("{who}: this deck isn't legal. Touch it to see why.")
            self.banner = form.format(who=self.setup.player(wrong))
        return wrong is None

    def begin(self) -> Scene | None:
        """Begin the game and return its table; None if that fails, with the reason in the banner."""
        try:
            return DuelTable(self.stage, self.setup.start(), self.back)
        except (EngineError, MatchError) as error:
            self.banner = fault_words(error)
            return None


class FirstScene(SubScene):
    """Asks who moves first: both cut their decks, and whoever cut the higher cost decides (Game Play 3)."""

    back: DuelSetupScene

    def __init__(self, back: DuelSetupScene) -> None:
        super().__init__(back)
        self.setup = back.setup

    def show(self) -> Screen:
        """Show the costs that were cut, who decides, and who moves first."""
        setup = self.setup
        cuts = tuple(
            Stepper(_("{who} cut a cost of").format(who=setup.player(who)), setup.cut[who], MOST_COST, "cut", who)
            for who in SIDES
        )
        looks: dict[str, Look] = {who: "chosen" if setup.first == who else "plain" for who in SIDES}
        buttons = tuple(
            Button(_("{who} goes first").format(who=setup.player(who)), Intent("first", who), looks[who])
            for who in SIDES
        )
        decision = _("Tie: cut again, or agree who decides.")
        if setup.decides:
            decision = _("{who} decides.").format(who=setup.player(setup.decides))
        hint = Text(_("Each cut your deck; the higher cost decides who goes first (Game Play 3)."))
        toss = Button(_("Choose at random"), Intent("toss"), "quiet")
        ready: Look = "primary" if self.setup.first else "off"
        return Screen(
            title=_("Who goes first?"),
            blocks=(
                hint,
                Steppers(cuts),
                Columns(*map(self._cut, SIDES)),
                Text(decision, "strong"),
                Buttons((*buttons, toss), 3),
            ),
            actions=(back_button(), Button(_("Next"), Intent("next"), ready)),
        )

    def _cut(self, who: str) -> tuple[Block, ...]:
        """Show the deck's cards of the cost that was cut; the cut card is one of them."""
        deck, cost = self.setup.deck(who), self.setup.cut[who]
        cards = deck_costing(deck, cost, SAMPLE)
        if not cards:
            return (Text(_("No card in this deck costs {n}.").format(n=cost), "warn"),)
        return (DeckCards(cards),)

    def touch(self, intent: Intent) -> Scene | None:
        """Set a cost or who moves first, go on, or go back."""
        match intent.verb:
            case "cut" if intent.what in SIDES:
                n = self.setup.cut[intent.what] + intent.n
                self.setup.cut[intent.what] = min(max(n, 0), MOST_COST)
            case "first" if intent.what in SIDES:
                self.setup.first = intent.what
            case "toss":
                self.setup.first = self.setup.stage.services.chance.one(SIDES)
            case "next" if self.setup.first:
                return LayScene(self)
        return super().touch(intent)


class LayScene(SubScene):
    """A checklist of what to set up before the first turn."""

    back: FirstScene

    def __init__(self, back: FirstScene) -> None:
        super().__init__(back)
        self.done: set[int] = set()

    def show(self) -> Screen:
        """Show one slip for each thing to set up, ticked once it is done."""
        slips = tuple(
            Slip(title, text, cite, Intent("did", "", n), "yes" if n in self.done else "")
            for n, (title, text, cite) in enumerate(self._things())
        )
        return Screen(
            title=_("Set up the cards"),
            blocks=slips,
            actions=(back_button(), Button(_("Start the game"), Intent("begin"), "primary")),
            banner=self.back.back.banner,
            banner_tone="bad",
            page=self.page,
        )

    def _things(self) -> tuple[tuple[str, str, str], ...]:
        setup = self.back.setup
        names = {who: setup.player(who) for who in SIDES}
        decks = "; ".join(
            f"{names[who]}: {deck_title(setup.deck(who))}, {card_count(setup.deck(who).size)}" for who in SIDES
        )
        form = _("{who}: {factions} – hand limit {cards}.")
        factions = " ".join(
            form.format(
                who=names[who],
                factions=", ".join(setup.deck(who).factions),
                cards=card_count(setup.deck(who).hand_limit),
            )
            for who in SIDES
        )
        first = _("{who} goes first and draws no card on the first turn.").format(who=names[setup.first])
        return (
            (_("Shuffle both decks and place them as resources."), decks, "Game Play 1"),
            (_("Each player declares the factions in their deck."), factions, "Game Play 2"),
            (_("Both draw {cards}.").format(cards=card_count(START_HAND)), "", "Game Play 4"),
            (first, "", "Game Play 5"),
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Tick one thing or untick it, start the game, or go back."""
        if intent.verb == "did":
            self.done ^= {intent.n}
        if intent.verb == "begin":
            return self.back.back.begin()
        return super().touch(intent)


PRACTICE = ("practice-cranes", "practice-wolves")
SYSTEM = "generals"


class DuelSetUp:
    """The choices made for a new card game so far, starting from the last game's players and decks."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        games = shelf().look().games
        self.names = known_names(games)
        last = next((game for game in games if game.system == SYSTEM and game.readable and not game.demo), None)
        self.players = {who: str(last.players.get(who, "")) if last else "" for who in SIDES}
        self.decks = dict(zip(SIDES, _decks(last.board if last else ""), strict=True))
        self.first = ""
        self.cut: dict[str, int] = dict.fromkeys(SIDES, 0)
        self.switched: frozenset[str] = frozenset()

    @property
    def readings(self) -> Mapping[str, Reading]:
        """The questions that the rules leave open, by name."""
        return readings()

    def player(self, who: str) -> str:
        """Return the name of a side's player, or of the side if nobody was named."""
        return self.players[who] or faction_name(who)

    def deck(self, who: str) -> Deck:
        """Return the deck of a side."""
        return load_deck(self.decks[who])

    def name_player(self, who: str, name: str) -> None:
        """Set a side's player, "" for nobody; if the other side has that name, the two swap names."""
        other = SIDES[1 - SIDES.index(who)]
        if name and self.players[other] == name:
            self.players[other] = self.players[who]
        self.players[who] = name

    def swap(self) -> None:
        """Swap the players' sides, along with their decks."""
        for things in (self.players, self.decks):
            things["red"], things["black"] = things["black"], things["red"]

    @property
    def decides(self) -> str:
        """The side that decides who moves first, as it cut the higher cost; "" for equal costs."""
        one, other = (self.cut[who] for who in SIDES)
        return "" if one == other else SIDES[int(other > one)]

    def request(self) -> dict[str, object]:
        """Return the `new` request for this game."""
        request: dict[str, object] = {"system": SYSTEM, "decks": dict(self.decks), "first": self.first}
        return with_people(request, self.switched, self.players)

    def start(self) -> AnyMatch:
        """Begin the game; who moves first is random unless chosen. EngineError or MatchError if it can't begin."""
        self.first = self.first or self.stage.services.chance.one(SIDES)
        return self.stage.services.games.start(self.request())


def _decks(board: str) -> tuple[str, str]:
    """Return the decks of the last game ("one/other") if both still exist, else the practice decks."""
    one, _slash, other = board.partition("/")
    try:
        for name in (one, other):
            load_deck(name)
    except BadTable:
        return PRACTICE
    return one, other


def rematch(table: GameTable[Position, Step], _back: Scene, swap: bool) -> Scene:
    """Begin the next game with the same decks, and return its table; with `swap`, the players change sides."""
    match, setup = table.match, DuelSetUp(table.stage)
    names = [match.players.get(who, "") for who in SIDES]
    setup.players = dict(zip(SIDES, reversed(names) if swap else names, strict=True))
    setup.decks = {who: side.deck.name for who, side in zip(SIDES, match.position.sides, strict=True)}
    setup.switched = match.positions[0].readings
    following = DuelTable(table.stage, setup.start(), table.home)
    match.close()
    form = _("Shuffle both decks and draw new hands. {who} moves first.")
    following.banner = form.format(who=following.people.name(setup.first))
    return following
