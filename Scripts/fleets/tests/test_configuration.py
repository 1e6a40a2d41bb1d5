"""slurm.conf, and ports."""

from __future__ import annotations

import unittest
from pathlib import Path

from ..cluster import free_ports
from ..configuration import PROCESSORS, Configuration

CONFIGURATION = Configuration(folder=Path("/f"), host="here", user="me", ports=(1000, 1001, 1002))


class ConfigurationTests(unittest.TestCase):
    def test_every_node_is_this_machine_at_a_port_of_its_own(self) -> None:
        lines = [line for line in CONFIGURATION.text().splitlines() if line.startswith("NodeName")]
        self.assertEqual(len(lines), 2)
        for line, name, port in zip(lines, ("node1", "node2"), (1001, 1002)):
            self.assertIn(f"NodeName={name} NodeHostname=here NodeAddr=127.0.0.1 Port={port} CPUs={PROCESSORS} ", line)

    def test_the_partition_has_all_nodes(self) -> None:
        self.assertIn("PartitionName=main Nodes=node1,node2 Default=YES", CONFIGURATION.text())

    def test_nothing_is_outside_of_the_folder(self) -> None:
        paths = [word.split("=", 1)[1] for word in CONFIGURATION.text().split() if "=/" in word]
        self.assertGreater(len(paths), 5)
        for path in paths:
            self.assertTrue(path.startswith(("/f/", "socket=/f/")), path)

    def test_each_name_stands_once(self) -> None:
        names = [line.split("=")[0] for line in CONFIGURATION.text().splitlines() if not line.startswith("Node")]
        self.assertEqual(sorted(names), sorted(set(names)))

    def test_ports_differ(self) -> None:
        self.assertEqual(len(set(free_ports(9))), 9)
