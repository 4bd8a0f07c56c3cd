"""Conic problems and solutions from other tools, each with a convention that must be named and is never guessed."""
