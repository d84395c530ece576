"""`.ci/lab`'s runner: the trials of one machine, a line each."""

from __future__ import annotations

import argparse
import signal
import sys
import time
from pathlib import Path

from tests.lab.trial import Lab, Trial, Verdict, Verdicts, judge
from tests.lab.trials import appliance, camera, pins, power, serial, stick, touch

TRIALS: dict[str, Trial] = {
    "screen.first-picture": appliance.first_picture,
    "screen.sandbox": appliance.sandbox,
    "inside.doctor": appliance.doctor,
    "inside.idle": appliance.idle,
    "touch.turned": touch.turned,
    "touch.game": touch.game,
    "alone.turn": touch.turn,
    "serial.reader": serial.reader,
    "serial.controller": serial.controller,
    "pins.header": pins.header,
    "pins.app": pins.app,
    "stick.plain": stick.plain,
    "stick.refused": stick.refused,
    "stick.pulled": stick.pulled,
    "camera.picture": camera.picture,
    "eye.turn": camera.turn,
    "watchdog.app": appliance.app,
    "watchdog.camera": appliance.camera,
    "watchdog.kernel": appliance.kernel,
    "power.again": power.again,
    "power.cuts": power.cuts,
    "update.taken": stick.taken,
}
MINUTES = 20.0


def wanted(only: str) -> list[str]:
    """Return the trials asked for; "screen" means all of that kind. Raise SystemExit for an unknown one."""
    asked = only.split(",") if only else list(TRIALS)
    unknown = [word for word in asked if not any(_is_of(name, word) for name in TRIALS)]
    if unknown:
        sys.exit(f"lab: no trial {', '.join(unknown)}; there are: {' '.join(TRIALS)}")
    return [name for name in TRIALS if any(_is_of(name, word) for word in asked)]


def _is_of(name: str, asked: str) -> bool:
    return name == asked or name.startswith(asked + ".")


def run(lab: Lab, names: list[str], verdicts: Verdicts, until_s: float) -> bool:
    """Try these, one after the other, until the time is over: whether none failed."""
    well = True
    for name in names:
        told = verdicts.passed(name)
        if told is not None:
            print(f"ok     {'before':>6}  {name}: {told}", flush=True)
            continue
        if time.monotonic() > until_s:
            print(f"cannot {'':>6}  {name}: the time is over; another run goes on here", flush=True)
            continue
        since = lab.guest_now()
        verdict = judge(TRIALS[name], lab)
        lab.keep_journal(name, since)
        lab.end_changed()
        verdicts.add(name, verdict)
        print(line(name, verdict), flush=True)
        well = well and verdict.state != "FAIL"
    return well


def line(name: str, verdict: Verdict) -> str:
    """Return a verdict as a line of text."""
    return f"{verdict.state:<6} {verdict.seconds:4.0f} s  {name}: {verdict.told}"


def main() -> int:
    """0 where nothing failed, 1 where something did."""
    parser = argparse.ArgumentParser(prog=".ci/lab")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--anew", action="store_true")
    parser.add_argument("--cuts", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=MINUTES)
    parser.add_argument("--machine", type=Path)
    parser.add_argument("--results", type=Path)
    options = parser.parse_args()
    if options.list:
        print("\n".join(TRIALS))
        return 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # no machine outlives its trials
    names = wanted(options.only)
    options.results.mkdir(parents=True, exist_ok=True)
    verdicts = Verdicts(options.results / "verdicts.json", options.machine.name)
    verdicts.forget(names if options.anew else [])
    lab = Lab(options.machine, options.results, options.cuts, options.seed)
    try:
        well = run(lab, names, verdicts, time.monotonic() + 60 * options.minutes)
    finally:
        lab.end()
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
