"""What scenes share: the stage, panels and their replies, consent of both players, typing, the clock, the map picture.

The stage carries what outlives a scene: settings, games, the camera's verdict, the desk. It is handed to every scene.
"""
