"""Reading recordings of system calls, and the rules that each call is held against."""
