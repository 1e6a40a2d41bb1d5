"""Verifies reports by programs that share no code with Godwit: JSON Schema, the JUnit schema, a reader of HTML."""
