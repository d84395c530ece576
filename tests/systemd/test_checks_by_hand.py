"""The checks that are run by hand (.ci): what they are made of fails where it has to, and does not pass on nothing."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.programs import needs

ROOT = Path(__file__).resolve().parents[2]
LISTENS = (
    "import socket, time; s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen(); print(1, flush=True); input()"
)
SITS = "print(1, flush=True); input()"


pytestmark = needs("bash")


def function(script: str, name: str) -> str:
    """Return a function of one of the scripts."""
    text = (ROOT / ".ci" / script).read_text(encoding="utf-8")
    found = re.search(rf"^{name}\(\) \{{(?:[^\n]* \}}|.*?\n\}})$", text, re.MULTILINE | re.DOTALL)
    assert found is not None, name
    return found[0]


def bash(*lines: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["bash", "-euc", "\n".join(lines)], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("program", "seen"), [(LISTENS, 0), (SITS, 1)])
def test_a_socket_of_the_network_is_seen(program: str, seen: int) -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", program], stdin=pipe, stdout=pipe, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "1\n"
        functions = [function("systemd-trial", name) for name in ("own_sockets", "has_socket")]
        assert bash(*functions, f"of_gunbai() {{ echo {child.pid}; }}", "has_socket").returncode == seen
        child.communicate("\n")


def test_the_processes_of_a_user_are_found_without_any_package_for_that() -> None:
    found = bash(
        function("systemd-trial", "of_gunbai").replace("-user gunbai", '-uid "$(id -u)"'), "of_gunbai; echo $$"
    )
    processes = found.stdout.split()
    assert found.returncode == 0
    assert processes[-1] in processes[:-1]


@pytest.mark.parametrize(("line", "status"), [("exit 2", 0), ("exit 0", 1), ("exit 127", 1)])
def test_another_end_than_a_refusal_is_none(line: str, status: int) -> None:
    done = bash(function("trial.sh", "ends_with"), "set +e", f"ends_with 2 bash -c '{line}'")
    assert done.returncode == status


@pytest.mark.parametrize(("said", "status"), [('s "no"', 0), ('s "challenge"', 0), ('s "yes"', 1), ("no such tool", 1)])
def test_no_answer_is_no_refusal(said: str, status: int) -> None:
    assert bash(function("systemd-trial", "refused_by_logind"), f"refused_by_logind echo '{said}'").returncode == status


@pytest.mark.parametrize(
    ("words", "moves", "fails"),
    [
        ("a, 12 ms", "x", False),
        ("a, 9 ms", "x", False),
        ("b, 12 ms", "x", True),
        ("a, 12 ms", "y", True),
        ("", "x", True),
    ],
)
def test_another_game_on_another_machine_is_told(tmp_path: Path, words: str, moves: str, fails: bool) -> None:
    there = tmp_path / "suite" / "home" / "player" / "gunbai"
    for folder, told, game in ((tmp_path / "here", "a, 12 ms", "x"), (there, words, moves)):
        (folder / "shots").mkdir(parents=True)
        (folder / "demo.txt").write_text(told)
        (folder / "shots" / "game.jsonl").write_text(game)
    functions = [function("arm64", name) for name in ("without_times", "same_game")]
    done = bash(f"KEEP={tmp_path}", *functions, "same_game suite")
    assert (done.returncode != 0) is fails, done


THE_SYSTEMS = {"Permission denied", "Start request repeated too quickly", "Watchdog timeout", "yes"}


def test_what_a_trial_waits_to_hear_is_what_we_say() -> None:
    trials = "".join((ROOT / ".ci" / name).read_text(encoding="utf-8") for name in ("systemd-trial", "deb-trial"))
    waited = re.findall(r"""says ["'](.+?)["']""", trials) + re.findall(r'grep -q "(.+?)" /run/gunbai-update', trials)
    sources = [*(ROOT / "companion").rglob("*.py"), *(path for path in (ROOT / "systemd").rglob("*") if path.is_file())]
    said = "".join(path.read_text(encoding="utf-8") for path in sources)
    assert len(waited) > 10
    assert [words for words in waited if words not in said and words not in THE_SYSTEMS] == []
