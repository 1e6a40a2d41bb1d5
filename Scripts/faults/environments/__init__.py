"""The odd surroundings, by kind."""
