"""`gunbai battles`: the battles of Sonae there are, and the shelf of owners' battles."""

import argparse

from companion.commands.shelf_options import shelf_options

NAME = "battles"
HELP = "the battles of Sonae there are; check, add, share or remove your own"
DESCRIPTION = """\
Lists the battles of Sonae. A battle of your own is one TOML file with its armies and its field; docs/sonae.md
has the form.

--check reads a file as strictly as it is read at the start, and tells every fault of it with its key.

examples:
  gunbai battles
  gunbai battles --check ford.toml
  gunbai battles --add ford.toml
  gunbai battles --share ford -o copy.toml
  gunbai battles --remove ford"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """[--check FILE | --add FILE | --share NAME -o FILE | --remove NAME]."""
    shelf_options(parser, "battle")


def run(options: argparse.Namespace) -> int:
    """0 when it is done, or the file is sound."""
    from companion.content.battles import SCENARIOS
    from companion.terminal.own_list import KNOWN, Listing, done
    from engine.sonae.scenario import Scenario, load_scenario, scenario_names

    def told(battle: Scenario) -> str:
        divisions = " against ".join(f"{army.title} ({len(army.divisions)} divisions)" for army in battle.armies)
        return f"{battle.name} ({battle.title}): {divisions}, {len(battle.units)} units; {KNOWN[battle.known]}"

    print(done(options, Listing(SCENARIOS, told, lambda: map(load_scenario, scenario_names()))))
    return 0
