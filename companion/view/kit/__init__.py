"""What everything on the screen is drawn with: sizes and colours, letters, signs, the sheet."""
