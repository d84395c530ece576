"""Buttons, lamps and serial devices beside a board, as one desk. Knows nothing of games: its sides are "one" and "two".

`events` is what a desk tells, `lights` what it is told, `device` what every device of it does. Opening a device happens
in `desk.open_desk` alone; importing this package touches no pin and no port.
"""
