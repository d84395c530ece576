"""The fault drill: what may go wrong at a table, done to the real app in a scratch folder (docs/measurements.md).

Each scenario starts the app as a process of its own, lets a program play at it, breaks something, and checks that no
confirmed step was lost. Out comes one `ScenarioResult` each. The owner's games, settings and devices are not touched.
"""
