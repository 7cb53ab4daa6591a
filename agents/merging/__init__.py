"""Patients that are merged, unmerged and transferred: which chart an event belongs to."""
