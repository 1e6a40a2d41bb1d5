"""The configuration of a small cluster: several nodes that are all this machine."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

#: Declared for any machine: eight tasks of two processors each run at the same time.
NODES, PROCESSORS = 4, 4
#: A requeued task does not start before the credential of its last start has expired: two minutes by Slurm's default.
CREDENTIAL_SECONDS = 15


@dataclass(frozen=True)
class Configuration:
    """Where the daemons are and what they are called. The folder has no spaces: slurm.conf can't quote them."""

    folder: Path
    host: str
    user: str
    #: Of the controller, then of each node.
    ports: tuple[int, ...]

    @property
    def nodes(self) -> list[str]:
        return [f"node{number}" for number in range(1, len(self.ports))]

    @property
    def socket(self) -> Path:
        return self.folder / "munge" / "socket"

    @property
    def path(self) -> Path:
        return self.folder / "slurm.conf"

    def text(self) -> str:
        """slurm.conf. No cgroups, no accounting: neither is needed to run an array, and both need a system's help."""
        nodes = "".join(
            f"NodeName={name} NodeHostname={self.host} NodeAddr=127.0.0.1 Port={port} CPUs={PROCESSORS} "
            "RealMemory=4000\n"
            for name, port in zip(self.nodes, self.ports[1:]))
        return f"""\
ClusterName=fleet
SlurmctldHost={self.host}(127.0.0.1)
SlurmctldPort={self.ports[0]}
SlurmUser={self.user}
SlurmdUser={self.user}
AuthType=auth/munge
AuthInfo=socket={self.socket},cred_expire={CREDENTIAL_SECONDS}
CredType=cred/munge
StateSaveLocation={self.folder}/state
SlurmdSpoolDir={self.folder}/spool/%n
SlurmctldPidFile={self.folder}/slurmctld.pid
SlurmdPidFile={self.folder}/slurmd-%n.pid
SlurmctldLogFile={self.folder}/log/slurmctld.log
SlurmdLogFile={self.folder}/log/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=2,bf_interval=2,batch_sched_delay=0
SlurmdParameters=config_overrides
ReturnToService=2
PropagateResourceLimits=NONE
KillWait=10
MinJobAge=86400
{nodes}PartitionName=main Nodes={','.join(self.nodes)} Default=YES MaxTime=INFINITE State=UP
"""
