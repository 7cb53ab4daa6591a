"""These tests need torch, which only the environment of `make test-gpu` has."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("torch") else ["test_gpu_models.py"]
