"""Tests of the pictures' generators."""
