"""Gunbai as an appliance: installed, updated from a file, its games backed up; all of it can be undone.

`install`, `uninstall`, `update` and `pack` need nothing but Python's standard library: they run before there is an
environment with packages, and where that is broken. A tree or an update file comes in; out go releases below /opt,
links to them, and copies of the saved games. docs/appliance.md describes what they do to a machine.
"""
