"""The health check: looks at the machine, the desk and the camera, a module for each.

`health.checks` runs them all and yields one `HealthCheck` each: OK, worth knowing, or what to do. Nothing is changed,
and devices that a running app has open are left alone. The screen, the fonts and the loudspeaker are handed in by the
view.
"""
