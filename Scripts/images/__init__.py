"""Pictures for README.md and docs, made from real output of Godwit."""
