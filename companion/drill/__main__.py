"""`python -m companion.drill ORDERS ANSWERS ...`: the app of the drill, see `companion.drill.sitter`."""

import sys

from companion.drill.shims import SimulatedMachine


def main(arguments: list[str]) -> int:
    """Run the app on a simulated machine and return its exit status."""
    machine = SimulatedMachine()
    machine.put_between()  # before the app is imported, so that it takes no other clock
    from companion.drill.sitter import sit

    return sit(machine, arguments)


sys.exit(main(sys.argv[1:]))
