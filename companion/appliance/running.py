"""The appliance's commands: they show what will be done, ask once, and do it."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from companion.appliance import installing, machine, signing
from companion.appliance.host import Action, Host, carry_out, exclusive
from companion.appliance.layout import Layout
from companion.appliance.sticks import file_of
from companion.core.errors import ApplianceError, UsageError
from companion.core.language import _
from companion.text.faults import fault_words

ROOT = Path(__file__).resolve().parents[2]
Maker = Callable[[Layout], Host]


def host_of(options: argparse.Namespace, maker: Maker = Host) -> Host:
    """Return the machine that the options name; UsageError if this user may not change it, or it isn't there."""
    layout = Layout(Path(options.root).resolve()) if options.root else Layout()
    host = maker(layout)
    if layout.here and not (host.is_root() or options.dry_run):
        raise UsageError(f"this changes the system, so it needs root: sudo gunbai {options.command}")
    if not layout.here and not layout.root.is_dir():
        raise UsageError(f"--root: {layout.root} isn't a folder")
    return host


def _alone(options: argparse.Namespace, host: Host) -> AbstractContextManager[None]:
    """Lock out other installs and updates meanwhile, except for a dry run, which changes nothing."""
    return nullcontext() if options.dry_run else exclusive(host.layout)


def install(options: argparse.Namespace, maker: Maker = Host) -> int:
    """Run `gunbai install`; return 0 if installed or a dry run, 1 if the answer was no."""
    host = host_of(options, maker)
    with _alone(options, host):
        return _install(options, host)


def _install(options: argparse.Namespace, host: Host) -> int:
    newcomer, who = installing.of_tree(ROOT, host.layout), ""
    if not options.unsigned:
        newcomer, who = installing.check_signature(newcomer, ROOT, host)
    facts = machine.look(host.layout)
    installing.check_machine(facts, host, options.anyway)
    form = _("Gunbai {release} on {machine}, {system}, {processor}")
    machine_name = facts.model or _("this machine")
    print(form.format(release=newcomer.name, machine=machine_name, system=facts.pretty, processor=facts.processor))
    if who:
        print(f"  {who}")
    for caution in (*machine.differences(facts), *machine.cautions(facts)):
        print("  " + _("note: {what}").format(what=caution))
    planned = installing.plan_installation(host, facts, newcomer, begin=host.layout.here and not options.no_start)
    if not _ask(options, _("This will be installed:"), planned):
        return 0 if options.dry_run else 1
    carry_out(planned, _progress(planned))
    signing.remember(host.layout, options.unsigned)
    installing.tidy(host)
    print(
        _("Installed. To check on it: sudo gunbai doctor, systemctl status gunbai. To remove it: sudo gunbai uninstall")
    )
    return 0


def uninstall(options: argparse.Namespace, maker: Maker = Host) -> int:
    """Run `gunbai uninstall`; return 0 if removed or a dry run, 1 if the answer was no or nothing is installed."""
    host = host_of(options, maker)
    with _alone(options, host):
        if not installing.is_installed(host):
            print(_("Gunbai isn't installed here"))
            return 1
        planned = installing.plan_removal(host, options.purge)
        if not _ask(options, _("This will be done:"), planned):
            return 0 if options.dry_run else 1
        os.chdir(host.layout.root)
        carry_out(planned)
        stay = _("Gone. The saved games are in {place}").format(place=host.layout.state)
        print(_("Gone.") if options.purge else stay)
        return 0


def update(options: argparse.Namespace, maker: Maker = Host) -> int:
    """Run `gunbai update`; return 0 if the other release is in use, or for a dry run.

    Return 1 if the answer was no or the update had to be taken back.
    """
    if [bool(options.file), options.back, bool(options.stick)].count(True) != 1:
        raise UsageError("give a FILE, or --back, or --stick RELEASE")
    if options.stick and options.unsigned:
        raise UsageError("--stick takes signed updates only")
    host = host_of(options, maker)
    with _alone(options, host):
        return _update(options, host)


def _update(options: argparse.Namespace, host: Host) -> int:
    if options.back:
        newcomer = installing.newcomer_before(host.layout)
        planned = installing.plan_change(host, newcomer)
    else:
        path = file_of(options.stick, host.layout) if options.stick else Path(options.file)
        allowed = installing.Allowed(options.older, options.unsigned)
        head, vouched = installing.check_update(path, host, machine.look(host.layout), allowed)
        newcomer = installing.newcomer_of(path, head, host.layout)
        form = _("{place}: Gunbai {release}, complete; {who}")
        print(form.format(place=path, release=newcomer.name, who=vouched))
        planned = installing.plan_update(host, newcomer)
    heading = _("In use now: {release}. This will be done:")
    if not _ask(options, heading.format(release=installing.installed_release(host.layout).name), planned):
        return 0 if options.dry_run else 1
    status = _carry_out(host, planned, newcomer.name)
    if status == 0:
        signing.remember(host.layout, options.unsigned and not options.back)
    return status


def _carry_out(host: Host, planned: Sequence[Action], name: str) -> int:
    try:
        carry_out(planned, _progress(planned))
    except ApplianceError as error:
        told = fault_words(f"{error}; {installing.installed_release(host.layout).name} stays in use")
        print(f"gunbai: {told}", file=sys.stderr)
        return 1
    installing.tidy(host)
    print(_("In use now: {release}. To go back: sudo gunbai update --back").format(release=name))
    return 0


def _progress(planned: Sequence[Action]) -> Callable[[int], None]:
    def tell(done: int) -> None:
        first = planned[done - 1].told.partition("\n")[0]
        if first:
            print("  " + _("done: {what}").format(what=first), flush=True)

    return tell


def _ask(options: argparse.Namespace, heading: str, planned: Sequence[Action]) -> bool:
    """Show what will be done and ask once, unless --yes; return whether to do it, False for a dry run."""
    print(heading, *(f"  {action.told}" for action in planned if action.told), sep="\n", flush=True)
    if options.dry_run:
        print(_("Nothing was changed."))
        return False
    if options.yes:
        return True
    if not sys.stdin.isatty():
        raise UsageError("can't ask here: add --yes")
    try:
        return input(_("Continue? [y/N]") + " ").strip().lower() in ("y", "yes", "j", "ja", "s", "sim")
    except EOFError:
        print()
        return False
