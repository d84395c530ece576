"""What the commands read and print, as text and as JSON.

In come file names, standard input and lines of notation; out come positions, steps and printed reports. Bad input is an
`InputError` of one line. `reports.GameReport` is what a system of rules adds, and each has a module for it.
"""
