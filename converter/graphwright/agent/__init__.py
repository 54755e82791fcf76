"""A process in the user's environment that imports their module and traces, times or runs one function of it.

It does so only when asked for by name; the server starts it, bounds it and ends it, and shares nothing but `wire`.
"""
