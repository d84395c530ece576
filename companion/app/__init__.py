"""The running app: the scene on stage, the service it is to systemd, light, sounds and the split screen."""
