"""Sweeps that try to make Godwit lose something: kills, power cuts, full disks, locks, signals, hostile input.

Every sweep runs the built `godwit` on small containers of its own making and judges what is left with programs that
share no code with Godwit. Python's standard library only; `strace` for what happens at system calls.
"""
