"""The closing table of the test command."""

from __future__ import annotations

from collections import Counter

from .step import Result


def duration(seconds: float) -> str:
    """Minutes and seconds, as `4:05`."""
    whole = round(seconds)
    return f"{whole // 60}:{whole % 60:02d}"


def summary(results: list[Result], left_out: list[str]) -> list[str]:
    """What failed, what was skipped and why, the table of the steps, and the sum in one plain line."""
    lines: list[str] = []
    for result in results:
        if result.failures:
            lines += ["", f"{result.step.name} failed (all output: {result.log}):"]
            lines += ["  " + line for line in result.failures]
    reasons: Counter[tuple[str, str]] = Counter()
    for result in results:
        for reason, count in result.counts.skipped.items():
            reasons[result.step.name, reason] += count
    if reasons:
        lines += ["", "skipped:"]
        lines += [f"  {step}: {reason}" + (f" ({count} times)" if count > 1 else "")
                  for (step, reason), count in reasons.items()]
    if left_out:
        lines += ["", "not run, because an earlier step failed: " + ", ".join(left_out)]
    width = max(len(result.step.name) for result in results)
    lines += ["", f"{'step':{width}}   passed  failed  skipped   time"]
    for result in results:
        counts = result.counts
        lines.append(f"{result.step.name:{width}}  {counts.passed:7,}  {counts.failed:6,}  {counts.skipped.total():7,}"
                     f"  {duration(result.seconds):>5}")
    passed, failed, skipped = (
        sum(result.counts.passed for result in results), sum(result.counts.failed for result in results),
        sum(result.counts.skipped.total() for result in results))
    lines += [f"{'all steps':{width}}  {'':7}  {'':6}  {'':7}  {duration(sum(r.seconds for r in results)):>5}",
              "", f"{passed} passed, {failed} failed, {skipped} skipped"]
    return lines
