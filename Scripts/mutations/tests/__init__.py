"""Tests of the list of faults."""
