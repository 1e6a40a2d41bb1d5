"""Kubernetes' manifests: against the schemas of several versions, and what no schema can say.

Needs `kubernetes-validate`; Scripts/check-deploy installs it. A broken copy of each manifest has to be refused, or the
check would have shown nothing.
"""

from __future__ import annotations

import copy
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

#: The first that has all fields as beta or better, and later ones.
VERSIONS = ("1.29", "1.31", "1.33", "1.35", "1.37")


def renamed(document: Any, path: tuple[Any, ...]) -> Any:
    """A copy in which the field at this path has a wrong name."""
    broken = copy.deepcopy(document)
    *inner, last = path
    parent = broken
    for step in inner:
        parent = parent[step]
    parent[f"{last}s"] = parent.pop(last)
    return broken


#: Fields that a broken copy has under a wrong name: of the Job, of its policy, of the pod, of its container.
FIELDS = (
    ("spec", "podFailurePolicy"),
    ("spec", "podFailurePolicy", "rules", 1, "onExitCodes"),
    ("spec", "template", "spec", "securityContext"),
    ("spec", "template", "spec", "containers", 0, "securityContext", "readOnlyRootFilesystem"),
)


def numbers_differ(fleet: Mapping[str, Any], merge: Mapping[str, Any]) -> Iterator[str]:
    """The number of shards must be the same everywhere."""
    spec, container = fleet["spec"], fleet["spec"]["template"]["spec"]["containers"][0]
    count = spec["completions"]
    value = {each["name"]: each.get("value") for each in container["env"]}.get("JOB_COMPLETIONS")
    if value != str(count):
        yield f"JOB_COMPLETIONS is {value}, and there are {count} completions"
    if spec["parallelism"] > count:
        yield f"parallelism is {spec['parallelism']}, and there are {count} completions"
    journal = container["args"][container["args"].index("--journal") + 1]
    wanted = [journal.replace("$(JOB_COMPLETION_INDEX)", str(index)) for index in range(count)]
    merged = merge["spec"]["template"]["spec"]["containers"][0]["args"][1:]
    if merged != wanted:
        yield f"the merge reads {', '.join(merged)}, and the fleet writes {', '.join(wanted)}"


def policy_faults(job: Mapping[str, Any]) -> Iterator[str]:
    """What the API server refuses, or would do something else with, though the schema is content."""
    spec = job["spec"]
    rules = spec["podFailurePolicy"]["rules"]
    if spec["template"]["spec"]["restartPolicy"] != "Never":
        yield "podFailurePolicy needs restartPolicy: Never"
    if spec.get("podReplacementPolicy") != "Failed":
        yield "a new pod would begin before the old one has ended"
    if any(rule["action"] == "FailIndex" for rule in rules) and "backoffLimitPerIndex" not in spec:
        yield "FailIndex needs backoffLimitPerIndex"
    if "backoffLimitPerIndex" in spec and spec.get("completionMode") != "Indexed":
        yield "backoffLimitPerIndex needs completionMode: Indexed"
    if [rule["action"] for rule in rules].index("Ignore") != 0:
        yield "a drained pod has to be passed over before its exit code is looked at"
    names = {container["name"] for container in spec["template"]["spec"]["containers"]}
    seen: set[int] = set()
    for rule in rules:
        codes = rule.get("onExitCodes", {}).get("values", [])
        if codes != sorted(set(codes)) or 0 in codes:
            yield f"{codes} are not in order, or not each once, or have 0"
        if seen & set(codes):
            yield f"{sorted(seen & set(codes))} are in two rules"
        if "onExitCodes" in rule and rule["onExitCodes"].get("containerName") not in names:
            yield f"there is no container {rule['onExitCodes'].get('containerName')}"
        seen |= set(codes)


def volume_faults(job: Mapping[str, Any]) -> Iterator[str]:
    """Every mount has its volume, and every volume is mounted."""
    pod = job["spec"]["template"]["spec"]
    mounted = {mount["name"] for container in pod["containers"] for mount in container["volumeMounts"]}
    there = {volume["name"] for volume in pod["volumes"]}
    if mounted != there:
        yield f"{sorted(mounted ^ there)} are mounted or declared, not both"


def unknown_codes(job: Mapping[str, Any], page: str) -> Iterator[str]:
    """Every exit code of a rule is one that docs/exit-codes.md knows."""
    known = {int(code) for code in re.findall(r"^\| (\d+) \|", page, re.MULTILINE)}
    for rule in job["spec"]["podFailurePolicy"]["rules"]:
        for code in rule.get("onExitCodes", {}).get("values", []):
            if code not in known:
                yield f"{code} is no exit code of Godwit's"


def schema_faults(document: Any, versions: tuple[str, ...]) -> Iterator[str]:
    """What the schemas say."""
    import kubernetes_validate

    for version in versions:
        try:
            kubernetes_validate.validate(document, version, strict=True)
        except kubernetes_validate.ValidationError as error:
            yield f"Kubernetes {version}: {'.'.join(map(str, error.path))}: {error.message.splitlines()[0]}"


def known_versions() -> tuple[str, ...]:
    """Those of the versions that the installed package has schemas of; an older Python gets an older package."""
    import kubernetes_validate
    from kubernetes_validate import utils

    known = []
    for version in VERSIONS:
        try:
            kubernetes_validate.validate({"apiVersion": "v1", "kind": "ConfigMap"}, version)
            known.append(version)
        except (utils.VersionNotSupportedError, kubernetes_validate.InvalidSchemaError):
            pass
    return tuple(known)


def main(folder: Path) -> int:
    import yaml

    versions = known_versions()
    if not versions:
        print(f"SKIPPED: kubernetes-validate has none of Kubernetes {', '.join(VERSIONS)}.", file=sys.stderr)
        return 0
    documents = {path.name: yaml.safe_load(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.yaml"))}
    codes = (Path(__file__).resolve().parents[2] / "docs" / "exit-codes.md").read_text(encoding="utf-8")
    faults, refused = [], 0
    for name, document in documents.items():
        found = [
            *schema_faults(document, versions), *policy_faults(document), *volume_faults(document),
            *unknown_codes(document, codes),
        ]
        for field in FIELDS:
            if not list(schema_faults(renamed(document, field), versions[-1:])):
                found.append(f"a wrong name for {'.'.join(map(str, field))} is not refused, so this shows nothing")
            refused += 1
        faults += [f"{name}: {fault}" for fault in found]
    faults += numbers_differ(documents["godwit-fleet.yaml"], documents["godwit-merge.yaml"])
    for fault in faults:
        print(f"check-deploy: {fault}", file=sys.stderr)
    if not faults:
        print(f"check-deploy: {len(documents)} manifests are valid for Kubernetes {', '.join(versions)}; "
              f"{refused} broken copies were refused")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
