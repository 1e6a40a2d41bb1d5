"""A fleet on a real Slurm: what Scripts/fleet runs. And the checks of Deploy's manifests for Scripts/check-deploy."""
