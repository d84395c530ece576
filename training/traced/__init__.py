"""Path-traced training tables: scenes in three dimensions, drawn by Mitsuba 3, in the flat simulator's forms."""
