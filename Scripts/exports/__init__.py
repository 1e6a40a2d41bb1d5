"""An independent verifier of exports. `command` is the way in."""
