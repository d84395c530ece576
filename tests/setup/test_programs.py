"""Tests run where there is Python alone: any other program that one starts is optional, and its skip says so."""

import pytest

from tests import programs
from tests.setup.started import ROOT, Start, starts_in

ALWAYS = {"python": "the environment's own", "gunbai": "the launcher", "sh": "what Python itself starts for a shell"}
MADE = {"script": "one of systemd/, copied", "no-such-program": "nowhere installed"}
BY_HAND = {
    "tests/lab/machine.py": "QEMU, for .ci/lab",
    "tests/lab/volatile_disk.py": "cp, for .ci/lab",
    "tests/lab/guest/agent.py": "bash, in the machine of .ci/lab; its tests say so themselves",
    "tests/hardware/micropython_rig.py": "node, for .ci/micropython/run",
    "tests/run.py": "what runs the tests",
}


def needless(start: Start) -> bool:
    """Tell whether a machine may lack the program, and the test that starts it doesn't say so."""
    return start.program not in {*ALWAYS, *MADE, *start.excused}


def test_tests_start_nothing_that_a_bare_machine_may_lack() -> None:
    paths = [str(path.relative_to(ROOT)) for path in sorted((ROOT / "tests").rglob("*.py"))]
    found = [start for path in paths if path not in BY_HAND for start in starts_in(path, (ROOT / path).read_text())]
    assert [f"{start.path}:{start.line}: {start.program}" for start in found if needless(start)] == []
    assert {"python", "gunbai", "sh", "git", "bash", "mount"} <= {start.program for start in found}


BEGINNING = "import os, shutil, subprocess, sys\nfrom tests.programs import needs, require\n"


@pytest.mark.parametrize(
    ("source", "program"),
    [
        ("subprocess.run(['ps', '-o', 'tty='])", "ps"),
        ("subprocess.Popen(args=('/usr/bin/ps',))", "ps"),
        ("subprocess.check_output('ps')", "ps"),
        ("os.execv('/bin/ps', ['ps'])", "ps"),
        ("os.posix_spawn('/bin/ps', ['ps'], {})", "ps"),
        ("from subprocess import run as begin\nbegin(['ps'])", "ps"),
        ("program = shutil.which('ps')\ndef helper():\n    subprocess.run([str(program), '-o'])", "ps"),
        ("def helper():\n    command = ['ps']\n    subprocess.run(command + words)", "ps"),
        ("class Rig:\n    def __init__(self):\n        self.own = 'ps'\n        subprocess.run([self.own])", "ps"),
        ("def words():\n    return ['ps']\nsubprocess.run(words())", "ps"),
        ("git = ['git', '-C', x]\nsubprocess.run([*git, 'add'])", "git"),
        ("subprocess.run(['sh', '-c', 'id -u; X=1 ps -o tty= $$'])", "ps"),
        ("subprocess.run(['bash', '-euc', f'if x; then ps | cat {y}; fi'])", "ps"),
        ("from companion.appliance.host import Host\nHost(x).run_as('65534', 'sh', '-c', 'ps')", "ps"),
        ("from companion.appliance.host import Host\nthere = Host(x)\nthere.run('ps')", "ps"),
        ("from requirements import environment\nenvironment.run('ps')", "ps"),
        ("agent.ask({'run': 'exit 3; ps'})", "ps"),
        ("def helper(command):\n    subprocess.run(command)", "command"),
    ],
)
def test_a_program_that_may_not_be_there_is_seen(source: str, program: str) -> None:
    found = [start.program for start in starts_in("tests/x.py", BEGINNING + source) if needless(start)]
    assert program in found


@pytest.mark.parametrize(
    "source",
    [
        "subprocess.run([sys.executable, '-c', 'ps'])",
        "def helper(*more):\n    subprocess.run([sys.executable, *more])",
        "subprocess.run([ROOT / 'gunbai', 'test'])",
        "subprocess.run(['sh', '-c', 'exec \"$@\" >&-', 'sh', sys.executable])",
        "@needs('ps')\ndef test_it():\n    subprocess.run(['ps'])",
        "pytestmark = needs('ps', 'cat')\ndef test_it():\n    subprocess.run(['sh', '-c', 'ps | cat'])",
        "@pytest.fixture\ndef made():\n    require('ps')\n    subprocess.run(['ps'])",
        "needs_ps = needs('ps')\n@needs_ps\ndef test_it():\n    subprocess.run(['ps'])",
        "def helper():\n    subprocess.run(['ps'])\n@needs('ps')\ndef test_it():\n    helper()",
        "from tests.systemd.unit_files import needs_systemd\n"
        "@needs_systemd\ndef test_it():\n    subprocess.run(['systemd-analyze'])",
    ],
)
def test_one_that_is_there_or_excused_passes(source: str) -> None:
    assert not any(map(needless, starts_in("tests/x.py", BEGINNING + source)))


def test_another_test_s_skip_excuses_nothing() -> None:
    source = "@needs('ps')\ndef test_one():\n    pass\ndef test_other():\n    subprocess.run(['ps'])"
    assert any(map(needless, starts_in("tests/x.py", BEGINNING + source)))


def test_a_skip_names_what_is_not_installed() -> None:
    assert programs.missing("sh") == ""
    assert programs.missing("sh", "no-such-program") == "not installed: no-such-program"
    with pytest.raises(pytest.skip.Exception, match="not installed: no-such-program"):
        programs.require("no-such-program")
    assert programs.needs("no-such-program").args == (True,)
    assert programs.needs("sh").args == (False,)
