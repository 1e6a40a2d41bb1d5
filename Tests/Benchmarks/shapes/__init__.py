"""Invented stores of nine shapes, and how long Godwit and other tools take over each: `Scripts/bench --shapes`."""
