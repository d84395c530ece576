"""What scenes share: the stage, panels, consent, typing, and how a system tells its game."""
