"""The self-check's looks at the machine, a module for each part of it. None changes anything."""
