"""The commands over positions and games: score, check and replay, with every fault in one line."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from companion.cli import main
from companion.games.journal import mark_of
from companion.games.match import GameSession
from companion.games.reviews import write_review
from engine.orders.wire import position_to_json, step_to_json
from tests.companion.commands.terminal import START, Capture, fault, printed, written
from tests.companion.other_games import BEGIN
from tests.companion.sample_games import OPENING, REQUEST, TAKEN, game_file, lines_of, played, saved
from tests.companion.sample_reviews import reviewed


@pytest.fixture
def start(tmp_path: Path) -> str:
    """Return a file with the starting position."""
    return written(tmp_path / "start.json", START)


# ---- score --------------------------------------------------------------------------------------


def test_the_score_of_a_position(capsys: Capture, start: str) -> None:
    out = printed(capsys, "score", start)
    assert "red wins\n  Red and Black both have 0 points; Red has the initiative and wins the tie" in out
    assert "a1 a3 a4 b3 b5" in out


def test_the_score_as_json(capsys: Capture, start: str) -> None:
    found = json.loads(printed(capsys, "score", start, "--json"))
    assert found["vp"] == {"red": 0, "black": 0}
    assert (found["winner"], found["reason"]) == ("red", "victory_points")
    assert found["supply"]["black"] == ["a1", "a3", "a4", "b3", "b5"]
    assert found["cut"] == {"red": [], "black": []}


def test_the_score_of_a_saved_game_is_that_of_its_last_position(tmp_path: Path, capsys: Capture) -> None:
    assert main(["score", str(game_file(tmp_path)), "--json"]) == 0
    end = played()[1][-1]
    assert json.loads(capsys.readouterr().out)["winner"] == end.winner_name


def test_a_position_that_the_referee_gave_is_taken_too(tmp_path: Path, capsys: Capture) -> None:
    answer = written(tmp_path / "answer.json", {"id": 7, "position": START})
    assert json.loads(printed(capsys, "score", answer, "--json"))["winner"] == "red"


def test_a_position_comes_from_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(START).encode())))
    assert "red wins" in printed(capsys, "score", "-")


def test_standard_input_may_be_endless(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    with Path("/dev/zero").open(encoding="utf-8") as endless:
        monkeypatch.setattr(sys, "stdin", endless)
        assert fault(capsys, "score", "-") == "standard input: longer than 32 MB, the limit"


def test_a_lost_headquarters_counts_before_points(tmp_path: Path, capsys: Capture) -> None:
    units = {"a3": {"black": {"troop": 1}}, "d3": {"red": {"troop": 3}}}
    found = json.loads(printed(capsys, "score", written(tmp_path / "p.json", {**START, "units": units}), "--json"))
    assert (found["winner"], found["reason"]) == ("black", "hq_lost")
    assert found["why"] == ["red has no units left in its headquarters e3, so black wins whatever the points"]


def test_with_both_headquarters_empty_the_initiative_decides(tmp_path: Path, capsys: Capture) -> None:
    out = printed(capsys, "score", written(tmp_path / "p.json", {**START, "units": {}, "initiative": "black"}))
    assert "black wins\n  both headquarters are empty; black has the initiative and wins\n" in out


def test_a_finished_game_keeps_its_winner(tmp_path: Path, capsys: Capture) -> None:
    ended = {**START, "winner": "black", "reason": "hq_lost"}
    assert json.loads(printed(capsys, "score", written(tmp_path / "p.json", ended), "--json"))["winner"] == "black"


def test_a_game_that_is_cut_off_is_scored_as_far_as_it_goes_and_says_so(tmp_path: Path, capsys: Capture) -> None:
    path = game_file(tmp_path)
    path.write_bytes(saved()[:-6])
    assert main(["score", str(path)]) == 0
    out, err = capsys.readouterr()
    steps = len(played()[0])
    assert err == f"gunbai: note: {path}: line {steps + 1} is cut off; opened up to step {steps - 1}\n"
    assert "wins" in out
    assert path.read_bytes() == saved()[:-6]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "the file is empty"),
        (b"   \n", "the file is empty"),
        (b"\xff\xfe\x00", "not a text file (byte 0 is not UTF-8)"),
        (b"\x89PNG\r\n", "a picture, not text (to score one, name its table with --table)"),
        (b'{"board": ', "not JSON: Expecting value (line 1, column 11)"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"round": ' + b"9" * 5000 + b"}", "a number beyond 64 bits"),
        (b"[1, 2]", "not a position: position: expected an object, not [1, 2]"),
        (b"{}", "not a position: board: expected a name, not None"),
        (b'{"board": "sengoku-lakes"}', "not a position: no board named 'sengoku-lakes'; there is sengoku-fortress, "),
        (json.dumps({**START, "round": 9}).encode(), "not a position: round: 1 to 4, not 9"),
        (json.dumps({**START, "units": {"z9": {}}}).encode(), "not a position: units.z9: no such area on this board"),
        (json.dumps({**START, "colour": 1}).encode(), "not a position: colour: a position has no such key"),
        (b'{"do": "new", "board": "sengoku', "not JSON: Unterminated string"),
        (b'{"do": "dance"}\n', 'not a saved game: line 1 is broken (a saved game starts with {"do": "new", ...})'),
    ],
)
def test_a_broken_position_is_told_with_its_file(tmp_path: Path, data: bytes, told: str, capsys: Capture) -> None:
    path = tmp_path / "position.json"
    path.write_bytes(data)
    assert fault(capsys, "score", str(path)).startswith(f"{path}: {told}")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, capsys: Capture) -> None:
    gone = tmp_path / "gone.json"
    assert fault(capsys, "score", str(gone)) == f"{gone}: can't be read (No such file or directory)"
    assert fault(capsys, "score", str(tmp_path)) == f"{tmp_path}: not a plain file"
    assert "not a possible file name" in fault(capsys, "score", "nul\0byte")


# ---- check --------------------------------------------------------------------------------------


def test_a_legal_step_is_judged_with_its_rules(capsys: Capture, start: str) -> None:
    out = printed(capsys, "check", start, json.dumps(OPENING))
    assert out.startswith("step 1: Red advances to c4 with 2 troops from d5: legal\n")
    assert "✓ advance.source-supply [Advance" in out
    assert "✗" not in out


def test_every_objection_is_told_with_rule_section_and_page(capsys: Capture, start: str) -> None:
    step = {"deploy": "advance:a3", "moves": {"d5": {"troop": 3}}}
    objections = [
        line for line in printed(capsys, "check", start, json.dumps(step), status=1).splitlines() if "✗" in line
    ]
    rules = [line.split()[1] for line in objections]
    assert rules == sorted(set(rules), key=rules.index)
    assert len(rules) >= 2
    assert all(" [" in line and "] " in line for line in objections)


def test_steps_are_judged_one_after_the_other_until_one_is_refused(tmp_path: Path, capsys: Capture, start: str) -> None:
    steps = written(tmp_path / "steps.jsonl", OPENING, TAKEN, {"pass": True})
    heads = [line for line in printed(capsys, "check", start, steps, status=1).splitlines() if line.startswith("step")]
    assert heads[0].endswith(": legal")
    assert "Black advances to c4 with 1 troop from b5: illegal, " in heads[1]
    assert len(heads) == 2


def test_a_ruling_as_json_has_the_referees_form(capsys: Capture, start: str) -> None:
    first, second = map(
        json.loads, printed(capsys, "check", start, json.dumps([OPENING, TAKEN]), "--json", status=1).splitlines()
    )
    assert (first["step"], first["legal"], second["step"], second["legal"]) == (1, True, 2, False)
    assert set(first["rulings"][0]) >= {"rule", "holds", "cite", "message"}
    assert "space.occupied" in [ruling["rule"] for ruling in second["rulings"] if not ruling["holds"]]


def test_a_reading_that_a_ruling_rests_on_is_named(capsys: Capture, start: str) -> None:
    step = {"deploy": "shell:d3", "target": "c3"}
    rulings = json.loads(printed(capsys, "check", start, json.dumps(step), "--json"))["rulings"]
    assert "empty-target" in [ruling.get("reading") for ruling in rulings]


@pytest.mark.parametrize("form", ["list", "lines", "one", "game"])
def test_steps_come_in_every_form(form: str, tmp_path: Path, capsys: Capture, start: str) -> None:
    objects: dict[str, list[object]] = {
        "list": [[OPENING]],
        "lines": [OPENING, {"pass": True}],
        "one": [OPENING],
        "game": [REQUEST, OPENING, {"pass": True}],
    }
    assert printed(capsys, "check", start, written(tmp_path / "steps", *objects[form])).startswith(
        "step 1: Red advances to c4"
    )


def test_steps_come_from_standard_input_and_as_a_line_of_words(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, start: str
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"pass": true}')))
    assert main(["check", start, "-"]) == 0
    assert main(["check", start, "pass"]) == 0
    assert printed(capsys, "check", start, "advance:c4 from d5=2t").count(": legal") == 3


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[]", "no steps in it"),
        ("[1]", "step 1: a step is an object, not 1"),
        ('[{"pass": true}, {"pass": 3}]', "step 2: pass: true is the only value"),
        ('{"pass": true}\n{"dance": 1}', "line 2: a step has one of the keys deploy, pass"),
        ('{"pass": true}\n\n{"pass": tr', "line 3: not JSON: Expecting value at column 10"),
        ('{"pass": true}\n[3]', "line 2: not a JSON object"),
        ('{"deploy": ', "not JSON: Expecting value (line 1, column 12)"),
        ('{"do": "new"}\n', "step 1: a step has one of the keys"),
        ("hello", "not JSON: Expecting value (line 1, column 1)"),
    ],
)
def test_broken_steps_are_told_with_their_place(
    text: str, told: str, tmp_path: Path, capsys: Capture, start: str
) -> None:
    path = tmp_path / "steps.json"
    path.write_text(text)
    assert fault(capsys, "check", start, str(path)).startswith(f"{path}: {told}")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("{", "the steps: not JSON: Expecting property name"),
        ('[{"pass": false}]', "the steps: step 1: pass: true is the only value"),
        ("advance:c4 and then some", "'advance:c4 and then some': neither a file nor a step: "),
        ("none.json", "none.json: can't be read (No such file or directory)"),
        ("advance:c4 " + "x" * 100_000, f"'advance:c4 {'x' * 25}...: neither a file nor a step: column 12"),
        ('"' + '\\"' * 50_000 + " ", "'\"\\\\"),
        (json.dumps([{"pass": True}] * 2001), "the steps: at most 2000 steps are read, not 2001"),
        ("[" * 100_000, "the steps: nested too deeply"),
    ],
)
def test_wrong_steps_on_the_command_line_are_told(given: str, told: str, capsys: Capture, start: str) -> None:
    assert fault(capsys, "check", start, given).startswith(told)


# ---- replay -------------------------------------------------------------------------------------


def test_only_a_finished_game_is_logged_in_bg_stats(tmp_path: Path, capsys: Capture) -> None:
    path = game_file(tmp_path, steps=3)
    assert fault(capsys, "replay", str(path), "--bg-stats") == f"{path}: nobody has won yet"
    assert printed(capsys, "replay", str(game_file(tmp_path)), "--bg-stats").startswith(
        "https://app.bgstatsapp.com/createPlay.html?data="
    )


def test_a_game_on_standard_input_is_logged_in_bg_stats(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(saved())))
    assert printed(capsys, "replay", "-", "--bg-stats").startswith("https://app.bgstatsapp.com/createPlay.html?data=")


@pytest.mark.parametrize("other", [["--json"], ["--html", "game.html"], ["--gif", "game.gif"]])
def test_the_link_to_bg_stats_goes_with_nothing_else(other: list[str], tmp_path: Path, capsys: Capture) -> None:
    told = fault(capsys, "replay", str(game_file(tmp_path)), "--bg-stats", *other)
    assert told == "--bg-stats prints a link: it doesn't go with --json, --html or --gif"


def test_a_saved_game_is_told_step_by_step(tmp_path: Path, capsys: Capture) -> None:
    lines = printed(capsys, "replay", str(game_file(tmp_path))).splitlines()
    assert lines[0] == ("sengoku-rivers, red has the initiative, tokens: sun barracks, moon war_room, star shipyard")
    assert lines[1].startswith("   1  Red ")
    assert sum(line[:4].strip().isdigit() for line in lines) == len(played()[0])
    assert lines[-1].startswith(f"{played()[1][-1].winner_name} wins (")


def test_a_game_that_goes_on_tells_what_is_owed(tmp_path: Path, capsys: Capture) -> None:
    rolls = next(number for number, position in enumerate(played()[1]) if position.turn is not None)
    assert "rolls" in printed(capsys, "replay", str(game_file(tmp_path, steps=rolls))).splitlines()[-1]
    assert printed(capsys, "replay", str(game_file(tmp_path, steps=0))).splitlines()[-1] == "round 1, red to move"


def test_the_last_position_as_json(tmp_path: Path, capsys: Capture) -> None:
    assert json.loads(printed(capsys, "replay", str(game_file(tmp_path)), "--json")) == position_to_json(
        played()[1][-1]
    )


def test_a_cut_off_game_is_replayed_as_far_as_it_goes(tmp_path: Path, capsys: Capture) -> None:
    path = game_file(tmp_path)
    path.write_bytes(saved()[:-6])
    assert main(["replay", str(path), "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out) == position_to_json(played()[1][-2])
    assert "is cut off; opened up to step " in err
    assert path.read_bytes() == saved()[:-6]


def test_a_game_against_the_rules_stops_there_with_the_ruling(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(lines_of(REQUEST, OPENING, TAKEN))
    assert main(["replay", str(path)]) == 1
    out, err = capsys.readouterr()
    assert "✗ space.occupied [" in out
    assert f"{path}: the step on line 3 is against the rules" in err
    assert json.loads(printed(capsys, "replay", str(path), "--json", status=1))["units"]["c4"] == {"red": {"troop": 2}}


def test_what_is_no_game_is_told(tmp_path: Path, capsys: Capture, start: str) -> None:
    assert fault(capsys, "replay", start).startswith(f"{start}: not a saved game: line 1 is ")
    gone = tmp_path / "gone.jsonl"
    assert fault(capsys, "replay", str(gone)) == f"{gone}: can't be read (No such file or directory)"


# ---- review -------------------------------------------------------------------------------------


def test_a_review_tells_the_curve_and_both_sides(tmp_path: Path, capsys: Capture) -> None:
    assert main(["review", str(game_file(tmp_path, 4))]) == 0
    out, err = capsys.readouterr()
    assert "Red's chance to win after each turn\n  Round 1  " in out
    assert "good turns  choices  cards played  dice  cards drawn  seen later" in out
    assert "Red's chance to win, from " in out
    assert err == ""


def test_a_review_that_the_app_has_kept_is_told_at_once(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = game_file(tmp_path, 4)
    write_review(path, mark_of(path.read_bytes().splitlines(keepends=True)), reviewed(4))
    monkeypatch.delattr("engine.orders.player.review.compare")
    assert "good turns" in printed(capsys, "review", str(path))


def test_a_review_as_json(tmp_path: Path, capsys: Capture) -> None:
    found = json.loads(printed(capsys, "review", str(game_file(tmp_path, 2)), "--json"))
    assert (found["format"], found["board"], found["winner"]) == (1, "sengoku-rivers", None)
    assert found["turns"][0]["turn"] == step_to_json(played()[0][0])
    assert set(found["sides"]) == {"red", "black"}
    assert found["turns"][0]["choice"] == found["turns"][0]["swings"][0]["change"]


def test_a_review_shows_on_a_terminal_how_far_it_is(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.chdir(tmp_path)
    game_file(tmp_path, 1)
    assert main(["review", "game.jsonl"]) == 0
    assert capsys.readouterr().err == "\r\x1b[Kgame.jsonl: 0/1\r\x1b[Kgame.jsonl: 1/1\r\x1b[K"


def test_a_game_that_has_not_begun_has_no_review(tmp_path: Path, capsys: Capture) -> None:
    path = str(game_file(tmp_path, 0))
    assert fault(capsys, "review", path) == f"{path}: no turn has been played yet, so there is nothing to review"


@pytest.mark.parametrize(("system", "title"), [("sonae", "Sonae"), ("generals", "Generals Order")])
def test_other_systems_are_reviewed_in_the_app(tmp_path: Path, capsys: Capture, system: str, title: str) -> None:
    path = tmp_path / "game.jsonl"
    GameSession.begin(path, BEGIN[system]).close()
    told = fault(capsys, "review", str(path))
    assert told == f"{path}: {title} is reviewed in the app; this command is for games of General Orders"
