"""An independent verifier of exports. `command` is the way in; `recipes` runs the commands of docs/using-exports.md."""
