"""Verdicts -> alerts."""
