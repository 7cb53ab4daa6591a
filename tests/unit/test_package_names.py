"""Other distributions use our package names too, and pip overwrites silently."""

from importlib.metadata import packages_distributions

import pytest


@pytest.mark.parametrize("package", ["agents", "schemas", "streams", "triton_models"])
def test_no_other_distribution_owns_our_package_names(package: str) -> None:
    owners = set(packages_distributions().get(package, [])) - {"chartproof"}
    assert not owners, f"uninstall {owners}: it overwrites chartproof's package {package!r}"
