"""Values as sentences: units, areas, steps, scores, devices and faults, in the language of the table.

Values of the engine and the other rooms come in, translated strings go out. Exceptions speak English; `faults`
translates those that reach the screen.
"""
