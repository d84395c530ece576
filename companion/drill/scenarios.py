"""All scenarios of the drill, in the order in which they are tried, and the result of trying them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass

from companion.core.errors import CompanionError
from companion.core.language import _
from companion.drill import camera, desk, machine
from companion.drill.place import Place
from companion.drill.player import Recovery
from companion.text.faults import fault_words
from engine.words import mark


@dataclass(frozen=True, slots=True)
class Scenario:
    """A fault and what has to come of it. work: causes the fault and checks; raises DrillFailed."""

    name: str
    fault: str
    expected: str
    work: Callable[[Place], Recovery]


@dataclass(frozen=True, slots=True)
class ScenarioResult:
    """How a scenario went: what was seen, or what failed; seconds until all was well, and in all."""

    name: str
    ok: bool
    told: str
    after_s: float
    took_s: float


def run_scenario(scenario: Scenario, place: Place) -> ScenarioResult:
    """Run one scenario and return its result.

    A game that can't be read any more, or an app that is gone, is a failure too; any other exception is a fault of the
    drill itself, and is raised.
    """
    began_s = time.monotonic()
    try:
        well = scenario.work(place)
    except (CompanionError, OSError) as error:
        place.leave()
        return ScenarioResult(scenario.name, False, str(error), 0.0, time.monotonic() - began_s)
    return ScenarioResult(scenario.name, True, well.told, well.after_s, time.monotonic() - began_s)


def run_scenarios(scenarios: Iterable[Scenario], place: Place) -> Iterator[ScenarioResult]:
    """Run scenarios one after the other, yielding each result as it comes."""
    for scenario in scenarios:
        yield run_scenario(scenario, place)


def as_line(result: ScenarioResult) -> str:
    """Return a result as a line: whether it went well, its name, the seconds it took, and what was seen."""
    well = _("well after {seconds} s").format(seconds=f"{result.after_s:4.1f}") if result.after_s else ""
    went = _("OK") if result.ok else _("failed")
    return f"{went:<7}{result.name:<18}{result.took_s:5.1f} s  {well:<17}  {fault_words(result.told)}"


def as_object(result: ScenarioResult) -> dict[str, object]:
    """Return a result as a JSON object."""
    return asdict(result)


SCENARIOS = (
    Scenario(
        "app-killed",
        mark("SIGKILL to the app in mid-turn: with one die entered, and just after a roll was confirmed"),
        mark("Started again, the table has every confirmed step; a die that was not confirmed is asked for again."),
        machine.kill_app,
    ),
    Scenario(
        "app-ended",
        mark("SIGTERM to the app in mid-turn, as when the machine is switched off"),
        mark("It leaves with exit status 0 within 5 s; started again, it asks for the roll that was owed."),
        machine.terminate_app,
    ),
    Scenario(
        "app-hung",
        mark("the window's loop hangs for ever while all other threads live on"),
        mark("Nothing feeds the watchdog any more; ended and started again, the table has every confirmed step."),
        machine.hang_window,
    ),
    Scenario(
        "manager-gone",
        mark("the service manager's socket goes away during a game"),
        mark("Nothing is noticed at the table."),
        machine.remove_manager,
    ),
    Scenario(
        "camera-killed",
        mark("SIGKILL to the camera process"),
        mark("Touches work all the while; another process is started, and the next turn on the board is seen."),
        camera.kill_camera,
    ),
    Scenario(
        "camera-frozen",
        mark("SIGSTOP to the camera process: it is there and tells nothing"),
        mark(
            "Touches work all the while; after 6 s of silence it is replaced, and the next turn on the board is seen."
        ),
        camera.freeze_camera,
    ),
    Scenario(
        "camera-black",
        mark("black pictures, as from a covered lens or in the dark"),
        mark("The screen says that the board cannot be seen; once it can be, the next turn on the board is seen."),
        camera.black_out_camera,
    ),
    Scenario(
        "camera-unplugged",
        mark("the camera is unplugged, and plugged in again"),
        mark("The screen says that the camera is lost; once it is back, the next turn on the board is seen."),
        camera.unplug_camera,
    ),
    Scenario(
        "camera-garbled",
        mark("100,000 random bytes, and a message without sense, on the pipe between the camera process and the app"),
        mark("The process is not believed any more and replaced; the next turn on the board is seen."),
        camera.garble_pipe,
    ),
    Scenario(
        "serial-noise",
        mark("a million random bytes on the line of the table controller and on that of the card reader"),
        mark("Noise presses nothing; the screen says to look at the cable; afterwards buttons and cards work at once."),
        desk.send_noise,
    ),
    Scenario(
        "button-stuck",
        mark("a pass button sticks, and is let go of once that was noticed"),
        mark("It passes one turn at most, then it is left out and the screen says so; let go of, it works again."),
        desk.jam_button,
    ),
    Scenario(
        "desk-unplugged",
        mark("the table controller is unplugged in mid-game, and plugged in again"),
        mark(
            "The screen says so, everything works by touch; plugged in again, lamps and buttons work without a restart."
        ),
        desk.unplug_controller,
    ),
    Scenario(
        "disk-full",
        mark("no byte more fits on the disk, from the middle of a line on; later there is room"),
        mark(
            "The game goes on in memory, with a sign on the screen; no file is harmed; with room, all steps are saved."
        ),
        machine.disk_full,
    ),
    Scenario(
        "disk-read-only",
        mark("the disk takes no change; later it does"),
        mark("The game goes on in memory, with a sign on the screen; no file is harmed; all steps are saved later."),
        machine.disk_read_only,
    ),
    Scenario(
        "clock-jumps",
        mark("the wall clock jumps on by 30 years and back by 80 during a game"),
        mark("No step is lost, no timer goes off, and the game that was played last is still offered first."),
        machine.clock_jumps,
    ),
)


def scenarios_named(names: tuple[str, ...]) -> tuple[Scenario, ...]:
    """Return the scenarios with these names in the usual order, or all without names; KeyError for an unknown one."""
    known = {scenario.name: scenario for scenario in SCENARIOS}
    wanted = {known[name].name for name in names} or known.keys()
    return tuple(scenario for scenario in SCENARIOS if scenario.name in wanted)
