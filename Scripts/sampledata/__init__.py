"""Sample containers made from text. `command` is the way in; `apps` lists the sample apps."""
