"""Apache Kafka (KRaft, one node) for the tests: jars through Maven into `.cache/kafka`, one JVM."""

import shutil
import subprocess
import tempfile
import uuid
from base64 import urlsafe_b64encode
from pathlib import Path

from streams.local.ports import LOOPBACK, free_port, listening
from streams.local.process import ChildProcess, ServiceFailed

VERSION = "4.4.0"
CACHE = Path(__file__).resolve().parent.parent / ".cache" / "kafka"
DOWNLOAD_SECONDS = 240
START_SECONDS = 60.0

POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>chartproof.tests</groupId><artifactId>kafka</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId>
      <version>{version}</version></dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-simple</artifactId>
      <version>1.7.36</version></dependency>
  </dependencies>
</project>
"""

PROPERTIES = """process.roles=broker,controller
node.id=1
controller.quorum.voters=1@{host}:{controller}
listeners=PLAINTEXT://{host}:{port},SASL://{host}:{sasl},MTLS://{host}:{mtls},CONTROLLER://{host}:{controller}
advertised.listeners=PLAINTEXT://{host}:{port},SASL://{host}:{sasl},MTLS://{host}:{mtls}
controller.listener.names=CONTROLLER
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SASL:SASL_SSL,MTLS:SSL
ssl.keystore.type=PEM
ssl.keystore.location={pair}
ssl.truststore.type=PEM
ssl.truststore.location={certificate}
listener.name.mtls.ssl.client.auth=required
sasl.enabled.mechanisms=PLAIN
listener.name.sasl.plain.sasl.jaas.config=\
  org.apache.kafka.common.security.plain.PlainLoginModule required user_tester="{password}";
log.dirs={data}
offsets.topic.replication.factor=1
offsets.topic.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=1
group.initial.rebalance.delay.ms=0
group.min.session.timeout.ms=1000
auto.create.topics.enable=false
"""


class KafkaBroker:
    """`start` after `stop` brings the same broker back, with its data and on its port."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.bootstrap = f"{LOOPBACK}:{self.port}"
        sasl, mtls = free_port(), free_port()
        pair, certificate = _certificate(folder)
        self.with_password = {
            "broker": f"{LOOPBACK}:{sasl}",
            "security_protocol": "SASL_SSL",
            "ssl_cafile": str(certificate),
            "sasl_username": "tester",
            "sasl_password": uuid.uuid4().hex,
        }
        """Settings for the listener that asks for a password, over TLS."""
        self.with_certificate = {
            "broker": f"{LOOPBACK}:{mtls}",
            "security_protocol": "SSL",
            "ssl_cafile": str(certificate),
            "ssl_certfile": str(pair),
        }
        """Settings for the listener that asks for a certificate."""
        self._properties = folder / "server.properties"
        self._properties.write_text(
            PROPERTIES.format(
                host=LOOPBACK,
                port=self.port,
                sasl=sasl,
                mtls=mtls,
                pair=pair,
                certificate=certificate,
                password=self.with_password["sasl_password"],
                controller=free_port(),
                data=folder / "data",
            )
        )
        self._java = ["java", "-Xmx384m", "-XX:TieredStopAtLevel=1", "-cp", f"{_jars()}/*"]
        self._format()
        self.process = ChildProcess(
            "Kafka", [*self._java, "kafka.Kafka", str(self._properties)], log=folder / "kafka.log"
        )

    def _format(self) -> None:
        cluster = urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")
        tool = ["kafka.tools.StorageTool", "format", "-t", cluster, "-c", str(self._properties)]
        subprocess.run([*self._java, *tool], check=True, capture_output=True, timeout=60)

    def start(self) -> "KafkaBroker":
        self.process.start(lambda: listening(self.port), deadline=START_SECONDS)
        return self

    def stop(self) -> None:
        self.process.stop(grace=20.0)


def _certificate(folder: Path) -> tuple[Path, Path]:
    """One self-signed certificate for broker, CA and client: with its key, and without."""
    key, certificate, pair = (folder / f"{name}.pem" for name in ("key", "certificate", "pair"))
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
         "/CN=kafka", "-addext", f"subjectAltName=IP:{LOOPBACK}", "-keyout", key, "-out",
         certificate],
        check=True, capture_output=True,
    )  # fmt: skip
    pair.write_text(key.read_text() + certificate.read_text())
    return pair, certificate


def _jars() -> Path:
    """The folder of Kafka's jars; filled at first use, complete or not there at all."""
    folder = CACHE / VERSION
    if not folder.is_dir():
        CACHE.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=CACHE) as work:
            _download(Path(work))
            try:
                (Path(work) / "jars").rename(folder)
            except OSError:
                if not folder.is_dir():  # another test run was not first either
                    raise
    return folder


def _download(work: Path) -> None:
    maven = shutil.which("mvn")
    if maven is None or shutil.which("java") is None:
        raise ServiceFailed("the Kafka tests need Java and Maven (`make java`)")
    (work / "pom.xml").write_text(POM.format(version=VERSION))
    done = subprocess.run(
        [maven, "-q", "-B", "-f", str(work / "pom.xml"), "dependency:copy-dependencies",
         "-DincludeScope=runtime", f"-DoutputDirectory={work / 'jars'}"],
        check=False, capture_output=True, text=True, timeout=DOWNLOAD_SECONDS,
    )  # fmt: skip
    if done.returncode:
        raise ServiceFailed(f"Maven could not fetch Kafka {VERSION}:\n{done.stdout[-2000:]}")
