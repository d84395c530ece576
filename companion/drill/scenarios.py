"""All scenarios, in the order in which they are tried."""

from __future__ import annotations

from companion.drill import camera, desk, disk, processes
from companion.drill.scenario import Scenario
from engine.words import mark

SCENARIOS = (
    Scenario(
        "app-killed",
        mark("SIGKILL to the app in mid-turn: with one die entered, and just after a roll was confirmed"),
        mark("Started again, the table has every confirmed step; a die that was not confirmed is asked for again."),
        processes.kill_app,
    ),
    Scenario(
        "app-ended",
        mark("SIGTERM to the app in mid-turn, as when the machine is switched off"),
        mark("It leaves with exit status 0 within 5 s; started again, it asks for the roll that was owed."),
        processes.terminate_app,
    ),
    Scenario(
        "app-hung",
        mark("the window's loop hangs for ever while all other threads live on"),
        mark("Nothing feeds the watchdog any more; ended and started again, the table has every confirmed step."),
        processes.hang_window,
    ),
    Scenario(
        "manager-gone",
        mark("the service manager's socket goes away during a game"),
        mark("Nothing is noticed at the table."),
        processes.unheard,
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
        camera.frozen,
    ),
    Scenario(
        "camera-black",
        mark("black pictures, as from a covered lens or in the dark"),
        mark("The screen says that the board cannot be seen; once it can be, the next turn on the board is seen."),
        camera.black,
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
        desk.noise,
    ),
    Scenario(
        "button-stuck",
        mark("a pass button sticks, and is let go of once that was noticed"),
        mark("It passes one turn at most, then it is left out and the screen says so; let go of, it works again."),
        desk.stuck,
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
        disk.full,
    ),
    Scenario(
        "disk-read-only",
        mark("the disk takes no change; later it does"),
        mark("The game goes on in memory, with a sign on the screen; no file is harmed; all steps are saved later."),
        disk.read_only,
    ),
    Scenario(
        "clock-jumps",
        mark("the wall clock jumps on by 30 years and back by 80 during a game"),
        mark("No step is lost, no timer goes off, and the game that was played last is still offered first."),
        disk.clock_jumps,
    ),
)


def scenarios_named(names: tuple[str, ...]) -> tuple[Scenario, ...]:
    """Return the scenarios of these names, in the usual order, or all without names; KeyError for an unknown name."""
    known = {scenario.name: scenario for scenario in SCENARIOS}
    wanted = {known[name].name for name in names} or known.keys()
    return tuple(scenario for scenario in SCENARIOS if scenario.name in wanted)
