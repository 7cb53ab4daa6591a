"""The manifests say what the code says: topics of the table, settings that exist, served paths.

`python tests/k8s/test_manifests.py` writes `k8s/base/topics.yaml` anew from the table of topics.
"""

import re
import sys
from pathlib import Path

import yaml

from schemas.topics import DEFAULT_PREFIX, TOPICS
from streams.delivery.faust_adapter import Tuning
from streams.settings import Settings

K8S = Path(__file__).parents[2] / "k8s"
TOPICS_FILE = K8S / "base" / "topics.yaml"


def strimzi_topics() -> str:
    """The table as Strimzi KafkaTopic resources; one replica here, three in production."""
    documents = [
        {
            "apiVersion": "kafka.strimzi.io/v1beta2",
            "kind": "KafkaTopic",
            "metadata": {
                "name": DEFAULT_PREFIX + topic.name,
                "labels": {"strimzi.io/cluster": "kafka"},
            },
            "spec": {"partitions": topic.partitions, "replicas": 1, "config": topic.config()},
        }
        for topic in TOPICS
    ]
    head = "# Written by tests/k8s/test_manifests.py from schemas/topics.py.\n"
    return head + yaml.safe_dump_all(documents, sort_keys=False)


def manifests(folder: Path) -> list[dict]:
    return [
        document
        for path in sorted(folder.glob("*.yaml"))
        for document in yaml.safe_load_all(path.read_text("utf-8"))
        if document
    ]


def containers() -> list[dict]:
    return [
        container
        for document in manifests(K8S / "base")
        if document["kind"] == "Deployment"
        for container in document["spec"]["template"]["spec"]["containers"]
    ]


def test_the_topics_are_those_of_the_table() -> None:
    assert TOPICS_FILE.read_text("utf-8") == strimzi_topics(), f"run: python {Path(__file__).name}"


def test_every_setting_that_the_worker_gets_exists() -> None:
    config = [d for d in manifests(K8S / "base") if d["kind"] == "ConfigMap"]
    names = {name for each in config for name in each["data"]}
    assert names
    known = {f"CHARTPROOF_{name.upper()}" for name in Settings.model_fields}
    assert names <= known
    Settings.model_validate(
        {
            name.removeprefix("CHARTPROOF_").lower(): value
            for each in config
            for name, value in each["data"].items()
        }
    )


def test_probes_ask_for_paths_that_a_worker_serves() -> None:
    health = (K8S.parent / "streams" / "health.py").read_text("utf-8")
    served = set(re.findall(r'web\.get\("(/\w+)"', health))
    [worker] = [each for each in containers() if each["name"] == "worker"]
    for probe in ("livenessProbe", "readinessProbe", "startupProbe"):
        assert worker[probe]["httpGet"]["path"] in served


def test_containers_run_as_nobody_with_bounds_and_no_way_up() -> None:
    assert containers()
    for container in containers():
        security = container["securityContext"]
        assert security["runAsNonRoot"] is True
        assert security["allowPrivilegeEscalation"] is False
        assert security["readOnlyRootFilesystem"] is True
        assert {"cpu", "memory"} <= set(container["resources"]["requests"])
        assert "memory" in container["resources"]["limits"]


def test_a_stopping_worker_has_the_time_that_a_stop_may_take() -> None:
    [worker] = [
        document
        for document in manifests(K8S / "base")
        if document["kind"] == "Deployment" and document["metadata"]["name"].endswith("worker")
    ]
    pod = worker["spec"]["template"]["spec"]
    assert pod["terminationGracePeriodSeconds"] > Tuning().stop_seconds


def test_each_kustomization_names_files_that_are_there() -> None:
    found = sorted(K8S.rglob("kustomization.yaml"))
    assert len(found) == 3
    for path in found:
        said = yaml.safe_load(path.read_text("utf-8"))
        patches = [each["path"] for each in said.get("patches", []) if "path" in each]
        for name in [*said["resources"], *patches]:
            assert (path.parent / name).exists(), f"{path}: {name}"


if __name__ == "__main__":
    sys.exit(TOPICS_FILE.write_text(strimzi_topics(), "utf-8") and None)
