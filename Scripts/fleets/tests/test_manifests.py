"""What no schema can say of Kubernetes' manifests."""

from __future__ import annotations

import copy
import unittest
from typing import Any

from .. import manifests

ARGS = ["run", "--journal", "/j/shard-$(JOB_COMPLETION_INDEX).jsonl"]
FLEET: dict[str, Any] = {"spec": {
    "completionMode": "Indexed", "completions": 2, "parallelism": 2, "backoffLimitPerIndex": 1,
    "podReplacementPolicy": "Failed",
    "podFailurePolicy": {"rules": [
        {"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget"}]},
        {"action": "FailJob", "onExitCodes": {"containerName": "godwit", "values": [64]}},
        {"action": "FailIndex", "onExitCodes": {"containerName": "godwit", "values": [1, 3]}},
    ]},
    "template": {"spec": {
        "restartPolicy": "Never", "volumes": [{"name": "journals"}],
        "containers": [{
            "name": "godwit", "args": ARGS, "env": [{"name": "JOB_COMPLETIONS", "value": "2"}],
            "volumeMounts": [{"name": "journals"}]}],
    }},
}}


def merge(*names: str) -> dict[str, Any]:
    return {"spec": {"template": {"spec": {"containers": [{"args": ["merge-reports", *names]}]}}}}


class ManifestTests(unittest.TestCase):
    def setUp(self) -> None:
        self.job = copy.deepcopy(FLEET)
        self.spec = self.job["spec"]
        self.rules = self.spec["podFailurePolicy"]["rules"]

    def test_a_good_one(self) -> None:
        self.assertEqual(list(manifests.policy_faults(self.job)), [])
        self.assertEqual(list(manifests.volume_faults(self.job)), [])
        self.assertEqual(list(manifests.numbers_differ(self.job, merge("/j/shard-0.jsonl", "/j/shard-1.jsonl"))), [])

    def test_numbers_that_differ(self) -> None:
        self.spec["completions"] = 3
        found = list(manifests.numbers_differ(self.job, merge("/j/shard-0.jsonl", "/j/shard-1.jsonl")))
        self.assertEqual(len(found), 2)
        self.assertIn("JOB_COMPLETIONS is 2, and there are 3 completions", found)

    def test_fields_that_need_each_other(self) -> None:
        for field, value in (
            ("podReplacementPolicy", None), ("backoffLimitPerIndex", None), ("completionMode", "NonIndexed"),
        ):
            job = copy.deepcopy(FLEET)
            job["spec"][field] = value
            if value is None:
                del job["spec"][field]
            self.assertEqual(len(list(manifests.policy_faults(job))), 1, field)
        self.spec["template"]["spec"]["restartPolicy"] = "OnFailure"
        self.assertEqual(len(list(manifests.policy_faults(self.job))), 1)

    def test_exit_codes_that_are_unknown_or_repeated_or_out_of_order_are_found(self) -> None:
        self.rules[2]["onExitCodes"]["values"] = [3, 1]
        self.assertIn("not in order", list(manifests.policy_faults(self.job))[0])
        self.rules[2]["onExitCodes"]["values"] = [1, 64]
        self.assertIn("[64] are in two rules", list(manifests.policy_faults(self.job)))
        self.rules[2]["onExitCodes"] = {"containerName": "other", "values": [1]}
        self.assertIn("there is no container other", list(manifests.policy_faults(self.job)))

    def test_a_drained_pod_comes_first(self) -> None:
        self.rules.append(self.rules.pop(0))
        self.assertIn("drained", list(manifests.policy_faults(self.job))[0])

    def test_exit_codes_that_the_page_does_not_know(self) -> None:
        page = "| 1 | `difference` | x |\n| 3 | `partial` | x |\n"
        self.assertEqual(list(manifests.unknown_codes(self.job, page)), ["64 is no exit code of Godwit's"])

    def test_volumes(self) -> None:
        self.spec["template"]["spec"]["volumes"].append({"name": "spare"})
        self.assertIn("['spare']", list(manifests.volume_faults(self.job))[0])

    def test_a_wrong_name_is_put_into_a_copy(self) -> None:
        broken = manifests.renamed(FLEET, ("spec", "template", "spec", "containers", 0, "args"))
        self.assertEqual(broken["spec"]["template"]["spec"]["containers"][0]["argss"], ARGS)
        self.assertEqual(self.job, FLEET)
