"""The bench of intake measures what it says: accepted notes of the size asked for, both ways."""

from datetime import UTC, datetime

from rich.console import Console

from agents.intake.read import read_documents
from streams.bench.intake import _message, bench_intake, measure


def test_its_messages_are_notes_of_the_size_asked_for() -> None:
    (reading,) = read_documents(_message(5_000, 3), received_at=datetime.now(UTC))
    assert reading.note is not None
    assert len(reading.note.text) == 5_000


def test_a_measurement_has_both_speeds_and_their_ratio() -> None:
    timing = measure(2_000, 4_000)
    assert timing.intake > 0
    assert timing.ratio == timing.intake / timing.baseline


def test_the_table_has_a_row_a_size() -> None:
    console = Console(width=100)
    with console.capture() as shown:
        console.print(bench_intake((1_000, 2_000), batch_bytes=4_000))
    assert "1 KB" in shown.get()
    assert "2 KB" in shown.get()
