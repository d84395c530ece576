"""What the eye costs and how well it sees: readings, dice, markers, tracing, on tables that nothing was trained on."""
