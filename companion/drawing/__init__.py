"""Boards as drawings in mm: areas, scenery, icons and the letters of those that hold no text. SVG out."""
