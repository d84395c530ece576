"""What to show and what a touch means. No pygame here: a scene is shown by the view and driven by intents."""
