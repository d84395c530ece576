"""How a game is told: its steps in sentences, by turns and chapters, and what the scenes of all systems ask of one."""
