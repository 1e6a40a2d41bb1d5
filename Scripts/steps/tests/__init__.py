"""Tests of the test command's own logic."""
