"""The error of a statement that cannot be read."""

from __future__ import annotations


class MalformedStatement(Exception):
    """A problem file that cannot be read as an exact statement.

    Attributes:
        name: The name of the file.
        place: Where in it, such as ``line 3, column 2``; empty for the file as a whole.
        problem: What is wrong there, with the offending value, and what to do.
    """

    def __init__(self, name: str, place: str, problem: str) -> None:
        super().__init__(f"{name}, {place}: {problem}" if place else f"{name}: {problem}")
        self.name = name
        self.place = place
        self.problem = problem
