"""A private Slurm: munged, slurmctld and slurmds in a temporary folder, which always end with the test."""

from __future__ import annotations

import os
import pwd
import signal
import socket
import subprocess
import tempfile
from pathlib import Path

from . import processes
from .bounds import Broken, said, until
from .configuration import NODES, Configuration


def free_ports(count: int) -> tuple[int, ...]:
    """Free ports; taken at the same time, so that they differ."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return tuple(each.getsockname()[1] for each in sockets)
    finally:
        for each in sockets:
            each.close()


class Cluster:
    """Starts with `with`, and ends with it."""

    def __init__(self, folder: Path) -> None:
        self.configuration = Configuration(
            folder=folder, host=socket.gethostname().split(".")[0], user=pwd.getpwuid(os.geteuid()).pw_name,
            ports=free_ports(NODES + 1))
        if " " in str(folder) or len(str(self.configuration.socket)) > 100:
            raise Broken(f"Slurm can't work in {folder}: set TMPDIR to a short path without spaces")
        self.environment = {
            name: value for name, value in os.environ.items()
            if not name.startswith(("SLURM", "SBATCH", "GODWIT", "JOB_COMPLETION"))
        } | {"SLURM_CONF": str(self.configuration.path)}
        self.daemons: list[subprocess.Popen] = []

    def __enter__(self) -> Cluster:
        try:
            self._start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _start(self) -> None:
        configuration, folder = self.configuration, self.configuration.folder
        for name in ("munge", "state", "spool", "log", *(f"spool/{node}" for node in configuration.nodes)):
            (folder / name).mkdir(mode=0o700)
        # munged requires a socket that every user can reach, in a folder that no other user can write.
        folder.chmod(0o711)
        (folder / "munge").chmod(0o711)
        key = folder / "munge" / "key"
        key.touch(mode=0o600)
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        configuration.path.write_text(configuration.text())
        self._daemon("munged", "--foreground", f"--socket={configuration.socket}", f"--key-file={key}", *(
            f"--{name}-file={folder}/munge/{name}" for name in ("log", "pid", "seed")))
        until(configuration.socket.exists, 10, "munged's socket")
        self._daemon("slurmctld", "-D", "-f", str(configuration.path))
        for node in configuration.nodes:
            self._daemon("slurmd", "-D", "-N", node, "-f", str(configuration.path))
        until(self._is_ready, 60, f"{len(configuration.nodes)} idle nodes (see {folder}/log)", pause=0.5)

    def _daemon(self, *words: str) -> None:
        with (self.configuration.folder / "log" / "said").open("ab") as log:
            # A session of its own: Ctrl-C is for this script, which then ends them in order.
            self.daemons.append(subprocess.Popen(
                words, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True))

    def _is_ready(self) -> bool:
        for daemon in self.daemons:
            if daemon.poll() is not None:
                log = (self.configuration.folder / "log" / "said").read_text(errors="replace")
                raise Broken(f"{daemon.args[0]} ended by itself: {log[-500:]}")
        try:
            states = said(["sinfo", "-h", "-N", "-o", "%N %T"], self.environment, patience=10).split("\n")
        except Broken:
            return False
        return sum(state.endswith(" idle") for state in states) == len(self.configuration.nodes)

    def stop(self) -> None:
        """Ends jobs, nodes, controller and munged; kills those that do not end in time."""
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        marks = {"SLURM_CONF": str(self.configuration.path)}
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in self.daemons:
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        # Tasks outlive their slurmd: politely first, for godwit rolls back what it is at.
        processes.end(marks, signal.SIGTERM, 10)
        processes.end(marks, signal.SIGKILL, 10)
        signal.signal(signal.SIGINT, before)


def new_folder() -> Path:
    """A folder for a cluster."""
    return Path(tempfile.mkdtemp(prefix="fleet-"))
