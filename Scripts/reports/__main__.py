"""`python3 -m reports`: what Scripts/validate-reports runs."""

import sys

from .command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
