"""Deliberate faults that the tests have to notice."""
