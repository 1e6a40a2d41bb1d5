"""The test command: runs its steps one after another and sums up what passed, failed and was skipped."""
