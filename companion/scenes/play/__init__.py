"""What the scenes of all systems without a board share: the table, its panels, the log, rulings, rules, the menu."""
