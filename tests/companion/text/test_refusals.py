"""What commands refuse is said in the player's language: every refusal in the code has its template."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.cli import main
from companion.core.language import speaking
from companion.drill.scenarios import ScenarioResult, as_line
from companion.text.faults import fault_words
from tests.companion.commands.terminal import Capture

ROOT = Path(__file__).parents[3]
FILLED = "XX"
ENGLISH = {
    'a saved game starts with {"do": "new", ...}': "shows the format",
    "the app did not answer for XX sXX": "with the app's last words or without",
    "a player's own hand is on the screen: no picture of it is kept": "kept from the tests alone",
    "no answer": "of the system's own power switch, which is logged",
    "XX: XX failed: XX": "a program's own words",
    "not a list of turns that were tried": "the list then begins anew",
    "XX: its review is of another game": "the turn is then left out",
}
"""Refusals that stay as they are, and why."""
OF_PROGRAMS = ("ValueError", "PrivateScreenError", "PowerError", "MessageError", "AdapterError")
"""What other code catches, or nobody reads."""


def refusals() -> Iterator[tuple[str, str]]:
    """Yield (place in the code, message with its places filled) of what `companion` raises."""
    for path in sorted((ROOT / "companion").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                if ast.unparse(node.exc.func) in OF_PROGRAMS:
                    continue
                for told in filter(None, map(told_by, node.exc.args)):
                    if " " in told.replace(FILLED, "").strip(" :()") and told not in ENGLISH:
                        yield f"{path.relative_to(ROOT)}:{node.lineno}", told


def told_by(node: ast.expr) -> str:
    """Return the text of an argument, its places filled; "" for one that is no text."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else FILLED for part in node.values)
    return ""


def test_every_refusal_speaks_portuguese() -> None:
    found = list(refusals())
    assert len(found) > 250
    with speaking("pt_BR"):
        assert [(place, told) for place, told in found if fault_words(told) == told] == []


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ("a.zip: meta.json: frames: expected an object each", "a.zip: meta.json: frames: esperado um objeto para cada"),
        ("a.zip: steps.json is missing", "a.zip: falta steps.json"),
        ("argument --turns: expected 1 or more, not 0", "argumento --turns: esperado 1 ou mais, não 0"),
        (
            "the settings: desk.size: a screen of 8x8 is too small: at least 640x400",
            "as configurações: desk.size: uma tela de 8x8 é pequena demais: no mínimo 640x400",
        ),
    ],
)
def test_a_refusal_is_translated_behind_the_place_that_it_names(told: str, words: str) -> None:
    assert fault_words(told) == told
    with speaking("pt_BR"):
        assert fault_words(told) == words


def test_the_drill_speaks_portuguese(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "pt_BR.UTF-8")
    assert main(["drill", "--list", "camera-killed"]) == 0
    assert "SIGKILL no processo da câmera" in capsys.readouterr().out
    assert main(["drill", "nothing"]) == 2
    assert "nothing: não existe esse cenário (opções: app-killed, " in capsys.readouterr().err
    missed = ScenarioResult("app-hung", False, "the app did not end within 20 s", 0.0, 21.0)
    with speaking("pt_BR"):
        assert as_line(missed).startswith("falhou app-hung")
        assert as_line(missed).endswith("o app não terminou em 20 s")
