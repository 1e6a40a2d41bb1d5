"""What is wrong with an export, as one error."""


class Invalid(Exception):
    """One thing that is wrong, and where. Never a value of the data."""
