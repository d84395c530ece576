"""What is heard: sounds, and what is said aloud through whole games; no card in a hand is ever named."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.app.app import App
from companion.app.cues import CUES, RATE_HZ, Cues, Moment, Sayings, ruling_words, samples
from companion.core.language import use_language
from companion.core.storage import games_dir
from companion.games.clock import GameClock
from companion.games.match import AnyMatch, GameSession, Match
from companion.perception.area_questions import AreaQuestion
from companion.perception.sync.status import SyncStatus
from companion.scenes.disputes.ruling import RulingScene, question_of
from companion.scenes.story.presenter import RulesQuestion
from companion.scenes.systems import table_of
from companion.scenes.table.board_table import BoardTable
from companion.scenes.table.orders_presenter import ORDERS
from companion.scenes.table.table import TableScene
from companion.ui.screen import Verdict
from engine.orders.steps import Pass
from engine.orders.wire import step_from_json
from engine.ruling import Ruling
from tests.companion.plain_tables import REQUESTS, WHOLE, laid, refused, steps_of
from tests.companion.sample_games import BOARD, BONUSES, played
from tests.companion.situations import of, stands
from tests.companion.touching import Hand

SYSTEMS = ("orders", "sonae", "generals")


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    yield App()
    use_language("en")


def begun(app: App, system: str) -> TableScene[Any, Any]:
    """Begin a new game of the system and return its table."""
    path = games_dir() / f"{system}-{len(list(games_dir().iterdir()))}.jsonl"
    match: AnyMatch = (
        Match.start(path, BOARD, "red", BONUSES, {"red": "Ana", "black": "Bo"})
        if system == "orders"
        else GameSession.begin(path, REQUESTS[system])
    )
    found = table_of(app.stage, match, app.home)
    assert isinstance(found, TableScene)
    return found


def whole_game(system: str) -> tuple[Any, ...]:
    return tuple(played()[0]) if system == "orders" else steps_of(system, WHOLE)


def said(app: App, system: str) -> list[str]:
    """All that is said of a whole game, step by step."""
    table, sayings = begun(app, system), Sayings()
    texts = [sayings.saying(table, ())]
    for step in whole_game(system):
        assert table.match.offer(step).legal
        texts.append(sayings.saying(table, ()))
        assert sayings.saying(table, ()) == "", "nothing is said twice"
    return texts


def test_turns_dice_rounds_and_the_winner_are_said(app: App) -> None:
    texts = said(app, "orders")
    assert texts[:3] == ["Ana's turn.", "Bo's turn.", "Ana's turn."]
    assert "Bo rolls 1 die for d5." in texts
    assert "Ana rolls 2 dice for c3." in texts
    assert "End of round 1: Ana 5, Bo 4. Ana begins round 2." in texts
    assert sum(text.startswith("End of round") for text in texts) == 3
    assert texts[-1] == "Bo wins!"


def test_a_battle_says_what_is_rolled_for(app: App) -> None:
    texts = said(app, "sonae")
    assert texts[1] == "Ana rolls 5 dice. Messenger to Maru-ichi."
    assert "Ana's turn. Maru-san: roll one die for orders." in texts
    assert any(text.startswith("End of turn 1.") for text in texts)
    assert texts[-1] == "Bo wins!"


def test_a_duel_says_whose_turn_it_is(app: App) -> None:
    texts = [text for text in said(app, "generals") if text]
    assert texts[:3] == ["Ana's turn.", "Bo's turn.", "Ana's turn."]
    assert texts[-1] == "Bo wins!"


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("language", ["en", "pt_BR"])
def test_no_card_is_ever_named(app: App, system: str, language: str) -> None:
    use_language(language)
    secret = begun(app, system).speech().secret
    assert bool(secret) == (system != "sonae")
    heard = " ".join(said(app, system)).casefold()
    assert len(heard) > 100
    assert [title for title in secret if title.casefold() in heard] == []


def test_another_language_says_it_otherwise(app: App) -> None:
    use_language("pt_BR")
    texts = said(app, "orders")
    assert texts[0] == "Vez de Ana."
    assert "Fim da rodada 1: Ana 5, Bo 4. Ana começa a rodada 2." in texts


def test_undo_says_whose_turn_it_is_again(app: App) -> None:
    table, sayings = begun(app, "orders"), Sayings()
    sayings.saying(table, ())
    table.match.offer(Pass())
    assert sayings.saying(table, ()) == "Bo's turn."
    table.match.undo()
    assert sayings.saying(table, ()) == "Ana's turn."
    assert sayings.saying(None, ()) == ""
    assert sayings.saying(table, ()) == "Ana's turn.", "it comes back to the table"


@pytest.mark.parametrize("system", ["sonae", "generals"])
def test_a_ruling_is_said_once(app: App, system: str) -> None:
    table, sayings = laid(Hand(app), system, 5), Sayings()
    sayings.saying(table, ())
    ruling = table.offer(refused(table))
    assert isinstance(ruling, RulingScene)
    text = sayings.saying(table, (ruling,))
    assert text.startswith("No. ")
    assert text.count(". ") <= 1
    assert sayings.saying(table, (ruling,)) == ""


def test_the_first_reason_is_said(app: App) -> None:
    table, sayings = begun(app, "orders"), Sayings()
    sayings.saying(table, ())
    step = step_from_json({"deploy": "advance:c4", "moves": {"d5": {"troop": 9}}})
    ruling = table.offer(step)
    assert isinstance(ruling, RulingScene)
    assert sayings.saying(table, (ruling,)) == ruling.verdict().text


def of_verdict(table: TableScene[Any, Any], verdict: Verdict) -> RulingScene:
    question: RulesQuestion[Any, Any] = RulesQuestion("?", table.match.position, Ruling(()), verdict=verdict)
    return RulingScene(table.presenter, question, table)


def test_a_ruling_about_a_hidden_card_does_not_name_it(app: App) -> None:
    table = begun(app, "orders")
    secret = table.speech().secret
    title = sorted(secret)[0]
    no = of_verdict(table, Verdict(False, f"No. Red doesn't hold {title.upper()}. More."))
    assert ruling_words(no, secret) == "Not allowed. The screen says why."
    assert ruling_words(of_verdict(table, Verdict(None, f"It depends on {title}.")), secret) == "See the screen."
    assert ruling_words(of_verdict(table, Verdict(True, "Yes. It may. And so on.")), secret) == "Yes. It may."


def test_a_general_on_the_battlefield_is_no_secret(app: App) -> None:
    table = begun(app, "generals")
    hidden = table.speech().secret
    for step in whole_game("generals"):
        assert table.match.offer(step).legal
        position = table.match.position
        shown = {side.deck.cards[fighter.card].title for side in position.sides for fighter in side.fighters}
        if shown:
            assert shown <= hidden
            assert not shown & table.speech().secret
            return
    raise AssertionError("no general was deployed")


def started(folder: Path) -> Match:
    return Match.start(folder / "game.jsonl", BOARD, "red", BONUSES)


# ---- sounds ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("cue", CUES)
def test_a_sound_is_short_soft_and_starts_and_ends_quietly(cue: str) -> None:
    sound = samples(cue)
    assert sound.itemsize == 2
    assert 0.1 < len(sound) / RATE_HZ < 1.2
    assert 0.2 * 32767 < max(sound) < 0.7 * 32767
    assert max(map(abs, sound[:4])) < 1000
    assert max(map(abs, sound[-100:])) < 1000


def test_sounds_differ_and_are_the_same_each_time() -> None:
    assert len({samples(cue).tobytes() for cue in CUES}) == len(CUES)
    assert samples("turn") == samples("turn")
    assert isinstance(samples("turn"), array)


def test_a_step_the_others_turn_and_an_objection_are_heard(tmp_path: Path) -> None:
    match = started(tmp_path)
    cues = Cues()
    assert cues.cue_for(Moment()) == ""
    assert cues.cue_for(Moment(of(match))) == ""  # a game comes to the table in silence
    match.offer(Pass())
    assert cues.cue_for(Moment(of(match))) == "turn"
    assert cues.cue_for(Moment(of(match))) == ""
    app = App()
    table = BoardTable(app.stage, match, app.scene)
    step = step_from_json({"deploy": "advance:c4", "moves": {"d5": {"troop": 2}}})
    refused = RulingScene(ORDERS, question_of(table, match.position, step), table)
    assert cues.cue_for(Moment(of(match), (table, refused))) == "objection"
    assert cues.cue_for(Moment(of(match), (table, refused))) == ""
    match.undo()
    assert cues.cue_for(Moment(of(match))) == ""


def test_a_round_s_end_and_the_game_s_end_are_sounds_of_their_own() -> None:
    cues, heard = Cues(), []
    for number, position in enumerate(played()[1]):
        heard.append(cues.cue_for(Moment(stands(position, steps=number))))
    assert heard.count("round") == 3
    assert heard[-1] == "end"
    assert heard.count("end") == 1
    assert {"step", "turn"} < set(heard), "a step that leaves the turn where it is, and one that doesn't"


def test_questions_faults_and_little_time_are_heard(tmp_path: Path) -> None:
    match = started(tmp_path)
    cues, clock = Cues(), GameClock()
    clock.warn_s = 60
    cues.cue_for(Moment(of(match), clock=clock))
    assert cues.cue_for(Moment(of(match), sense=SyncStatus("out"), clock=clock)) == "attention"
    assert cues.cue_for(Moment(of(match), sense=SyncStatus("sync"), clock=clock)) == ""
    assert (
        cues.cue_for(Moment(of(match), sense=SyncStatus("unsure", question=AreaQuestion("b2", ())), clock=clock))
        == "attention"
    )
    assert cues.cue_for(Moment(of(match), fault="The disk is full.", clock=clock)) == "attention"
    clock.minutes, clock.spent_s = 1, {"red": 1.0}
    assert cues.cue_for(Moment(of(match), fault="The disk is full.", clock=clock)) == "low"
