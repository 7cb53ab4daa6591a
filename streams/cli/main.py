"""The `chartproof` command: how it is called. What it does is in `streams.cli`.

Standard output carries results (JSON where asked for), standard error everything else.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
import uuid
from collections.abc import Callable, Coroutine, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn
from zoneinfo import ZoneInfo

import orjson
import typer
from pydantic import ValidationError
from rich.console import Console

from agents.errors import ChartproofError
from agents.events import faults
from schemas.texts import TextGenerated, VerificationSettings
from schemas.topics import TOPICS
from schemas.verdicts import ScoreSheetIssued
from streams.cli import render
from streams.cli.client import Client
from streams.cli.llm_options import JudgeChoice, Llm, LlmModel, LlmUrl, chosen_llm
from streams.cli.progress import PublishBars
from streams.cli.publish import Published
from streams.cli.publish import publish as publish_records
from streams.cli.render_completeness import completeness
from streams.cli.resume import DEFAULT_FILE
from streams.cli.sources import STDIN, in_thread, read_sources
from streams.cli.up import FileInTheWay
from streams.cli.verify import COULD_NOT_VERIFY, VerificationError, exit_code
from streams.cli.verify import verify as verify_text
from streams.cli.watch import line
from streams.local.process import ServiceFailed
from streams.settings import load_settings
from streams.signals import Ended, cancelled_on_ending

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Verify LLM-written clinical text against the patient's chart, as a stream.",
)
EXPECTED = (
    ChartproofError,
    VerificationError,
    FileInTheWay,
    ServiceFailed,
    OSError,
    ValueError,
)


def main() -> None:
    app()


class Output(Console):
    """A console that leaves it to `_reported_errors` what becomes of a reader that has gone."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


out = Output(width=None if sys.stdout.isatty() else 120)
err = Console(stderr=True)


def _run(
    work: Callable[[], Coroutine[Any, Any, int]], *, ended: int | None = None, cut_off: int = 0
) -> NoReturn:
    """Run a command until it is done or ended by a signal.

    `ended` is the exit code after a signal if not 128 + its number; `cut_off`: see
    `_reported_errors`.
    """
    for library in ("aiokafka", "pymilvus"):  # they log what is then reported as an error
        logging.getLogger(library).setLevel(logging.CRITICAL)

    async def until_ended() -> int:
        with cancelled_on_ending():
            return await work()

    with _reported_errors(cut_off):
        try:
            code = asyncio.run(until_ended())
        except Ended as end:
            code = end.exit_code if ended is None else ended
        raise typer.Exit(code)
    raise AssertionError("an error ends in an exit")


@contextlib.contextmanager
def _reported_errors(cut_off: int = 0) -> Iterator[None]:
    """Expected errors end in one line that says what to do, and exit code 2.

    `cut_off` is the exit code where nobody reads the output to its end (`| head`).
    """
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what is buffered
        raise typer.Exit(cut_off) from None
    except KeyboardInterrupt:
        raise typer.Exit(128 + signal.SIGINT) from None
    except EXPECTED as error:
        render.error(err, faults(error) if isinstance(error, ValidationError) else str(error))
        raise typer.Exit(COULD_NOT_VERIFY) from None


@app.command()
def up(
    llm: Llm = False,
    llm_url: LlmUrl = None,
    llm_model: LlmModel = None,
    judge: JudgeChoice = None,
) -> None:
    """Start the embedded stack and a worker; print the addresses; Ctrl-C stops everything."""
    from streams.cli.up import up as run_up

    chosen = chosen_llm(llm, llm_url, llm_model, judge)
    _run(lambda: run_up(out, chosen), ended=0)


@app.command()
def demo(
    llm: Llm = False,
    llm_url: LlmUrl = None,
    llm_model: LlmModel = None,
    judge: JudgeChoice = None,
) -> None:
    """Run the whole thing on an invented patient and a summary with planted errors."""
    from streams.cli.demo import demo as run_demo

    chosen = chosen_llm(llm, llm_url, llm_model, judge)
    _run(lambda: run_demo(out, chosen))


@app.command()
def worker() -> None:
    """Run a worker against the broker, Milvus and Triton that the environment names."""
    from streams.app import run_worker

    with _reported_errors():
        raise typer.Exit(run_worker(load_settings()))


@app.command()
def publish(
    paths: Annotated[list[Path], typer.Argument(help="JSON, NDJSON, folders; - is stdin")],
    wait: Annotated[bool, typer.Option(help="Wait and report what became of each record")] = False,
    backfill: Annotated[
        bool, typer.Option("--backfill", help="A bulk load: to inbound.backfill, resumable")
    ] = False,
    resume: Annotated[
        Path | None,
        typer.Option(help=f"State of the backfill, to go on from [default: {DEFAULT_FILE}]"),
    ] = None,
) -> None:
    """Publish FHIR documents. Exit code 1: something did not get through.

    With --backfill, live traffic comes first, and the same command again goes on where a run ended.
    """
    if resume and not backfill:
        raise typer.BadParameter("only with --backfill", param_hint="--resume")

    async def work() -> int:
        if backfill:
            state = resume or DEFAULT_FILE
            report = await _backfill(paths, state, wait)
            if not report.records:
                err.print(f"{state} says that all of it is published; delete it to start anew.")
        else:
            report = await _publish(paths, wait)
        out.print(render.published(report))
        return 0 if report.ok else 1

    _run(work)


async def _publish(paths: list[Path], wait: bool) -> Published:
    records = read_sources(paths)
    async with Client(load_settings()) as client:
        with PublishBars(paths, wait=wait, console=err) as bars:
            return await publish_records(
                client,
                in_thread(records) if STDIN in paths else records,
                wait=wait,
                progress=bars.update,
                acknowledged=bars.acknowledged,
            )


async def _backfill(paths: list[Path], state: Path, wait: bool) -> Published:
    """One line that changes in a terminal; elsewhere (nohup, a scheduler) a line now and then."""
    from streams.cli.publish_backfill import backfill

    async with Client(load_settings()) as client:
        if not err.is_terminal:
            return await backfill(
                client, paths, state_file=state, wait=wait, show=err.print, show_every_s=30.0
            )
        with err.status("starting ...") as status:
            return await backfill(client, paths, state_file=state, wait=wait, show=status.update)


@app.command()
def verify(
    patient: Annotated[str, typer.Option(help="Patient id, as in DocumentReference.subject")],
    text: Annotated[Path, typer.Option(help="File with the generated text; - is stdin")],
    as_of: Annotated[
        str | None, typer.Option(help="Facts later than this (RFC 3339) are not evidence")
    ] = None,
    encounter: Annotated[str | None, typer.Option(help="Encounter of the text")] = None,
    document: Annotated[
        str | None, typer.Option(help="Document id under which the text is filed")
    ] = None,
    unit: Annotated[str, typer.Option(help="sentence, claim or snippet")] = "claim",
    retrieval: Annotated[str, typer.Option(help="hybrid, dense or sparse")] = "hybrid",
    scope: Annotated[str, typer.Option(help="record, or encounter")] = "record",
    top_n: Annotated[int, typer.Option(help="Facts shown to the judge")] = 12,
    abstain_below: Annotated[float, typer.Option(help="Abstain under this confidence")] = 0.0,
    more: Annotated[
        list[str] | None,
        typer.Option("--set", help="Any other setting, NAME=VALUE (docs/settings.md)"),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Events as JSON lines")] = False,
) -> None:
    """Verify a text. Exit code 0: all supported; 1: something is not; 2: could not verify."""

    if scope == "encounter" and not encounter:
        raise typer.BadParameter("needed by --scope encounter", param_hint="--encounter")
    with _reported_errors():
        content = sys.stdin.read() if text == STDIN else text.read_text(encoding="utf-8")
        settings = VerificationSettings.model_validate(
            {
                "unit": unit,
                "retrieval": retrieval,
                "scope": scope,
                "top_n": top_n,
                "abstain_below": abstain_below,
                **_named(more or []),
            }
        )
        event = TextGenerated(
            occurred_at=datetime.now(UTC),
            text_id=str(uuid.uuid4()),
            patient_id=patient,
            text=content,
            as_of=_time(as_of) if as_of else None,
            encounter_id=encounter,
            document_id=document,
            settings=settings,
        )

    async def work() -> int:
        async with Client(load_settings()) as client:
            async for issued in verify_text(client, event):
                if json:
                    sys.stdout.write(issued.to_json().decode() + "\n")
                    sys.stdout.flush()
                elif isinstance(issued, ScoreSheetIssued):
                    out.print(render.score_sheet(issued), *completeness(issued))
                else:
                    out.print(render.verdict(issued.judged))
                if isinstance(issued, ScoreSheetIssued):
                    return exit_code(issued)
        return COULD_NOT_VERIFY

    _run(work, cut_off=COULD_NOT_VERIFY)


@app.command()
def watch(
    topic: Annotated[str, typer.Argument(help="A topic of the table, e.g. verdicts")],
    from_beginning: Annotated[bool, typer.Option(help="Start with the oldest event")] = False,
) -> None:
    """Print a topic's events as JSON lines, as they come. Ctrl-C ends it."""
    known = {each.name: each for each in TOPICS}
    if topic not in known:
        raise typer.BadParameter(f"one of: {', '.join(known)}", param_hint="TOPIC")

    async def work() -> int:
        async with (
            Client(load_settings()) as client,
            client.follow([known[topic]], from_beginning=from_beginning) as records,
        ):
            async for _, record in records:
                sys.stdout.write(line(record).decode() + "\n")
                sys.stdout.flush()
        return 0

    _run(work)


@app.command()
def inspect(
    paths: Annotated[list[Path], typer.Argument(help="JSON, NDJSON, folders; - is stdin")],
    explain: Annotated[
        bool, typer.Option("--explain", help="Say in words which rule decided what")
    ] = False,
    conformance: Annotated[
        bool, typer.Option("--conformance", help="Hold each resource against FHIR instead")
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit 1 also where a part of a note is left out")
    ] = False,
) -> None:
    """Say offline what intake makes of each resource: one JSON line each.

    Exits 1 when a resource would be a dead letter.
    """
    from agents.intake.inspect import conformance_report, inspect_bytes
    from agents.intake.patient_events import read_identifier_map
    from streams.cli.explain import explain as explain_records

    with _reported_errors():
        settings = load_settings()
        file = settings.patient_identifiers
        options: Any = {
            "default_zone": ZoneInfo(settings.site_zone),
            "patient_ids": read_identifier_map(file, settings.home_bases) if file else None,
            "home_bases": settings.home_bases,
            "statuses": settings.document_statuses,
            "bundle_patient": settings.bundle_patient,
        }
        failed = False
        if explain:
            failed = explain_records(read_sources(paths), out, strict=strict, **options)
            raise typer.Exit(int(failed))
        for record in read_sources(paths):
            rows = (
                conformance_report(record.value)
                if conformance
                else inspect_bytes(record.value, **options)
            )
            for row in rows:
                line = orjson.dumps({"origin": record.origin, **row})
                sys.stdout.write(line.decode() + "\n")
                dead = row.get("outcome") == "dead_letter"
                failed |= dead or (strict and bool(row.get("partial")))
    if failed:
        raise typer.Exit(1)


@app.command()
def doctor() -> None:
    """Say what is reachable and healthy, and what to do about what is not."""
    from streams.cli.doctor import doctor as run_doctor

    _run(lambda: run_doctor(out))


@app.command()
def reindex(
    to: Annotated[
        str, typer.Option(help="CHARTPROOF_MILVUS_PREFIX of the new collections; not the live one")
    ],
) -> None:
    """Build an index for the embedder that is served, beside the live one and from its rows.

    Workers go on meanwhile. Start them with the new prefix afterwards and run it once more under
    the old one: it copies what has come in between.
    """
    from streams.cli.reindex import reindex as run_reindex

    _run(lambda: run_reindex(to, out))


@app.command()
def asyncapi() -> None:
    """Print the AsyncAPI 3 document of all topics and events."""
    from importlib.metadata import version

    from schemas.asyncapi import asyncapi_document

    with _reported_errors():
        _print_json(asyncapi_document(load_settings().topic_prefix, version("chartproof")))


@app.command()
def schema(
    name: Annotated[
        str,
        typer.Argument(
            help="text-generated, document-reference, or evaluation:NAME (docs/evaluation.md)"
        ),
    ],
) -> None:
    """Print the JSON Schema of what producers send, or of a format of evaluation data."""
    from agents.evaluation.formats.json_schema import format_schemas
    from schemas.json_schemas import document_reference_schema, text_generated_schema

    known: dict[str, Callable[[], object]] = {
        "text-generated": text_generated_schema,
        "document-reference": document_reference_schema,
    }
    for form, model in format_schemas().items():
        known[f"evaluation:{form}"] = partial(dict, model)
    if name not in known:
        raise typer.BadParameter(f"one of: {', '.join(known)}", param_hint="NAME")
    with _reported_errors():
        _print_json(known[name]())


@app.command()
def bench(
    backfill: Annotated[
        bool, typer.Option("--backfill", help="Only what a backfill costs live texts")
    ] = False,
    profile: Annotated[
        str | None, typer.Option(help="gpu: its embedder and reranker, in this process")
    ] = None,
) -> None:
    """Measure where the time goes, as ratios within one run."""
    if profile not in (None, "gpu"):
        raise typer.BadParameter("gpu", param_hint="--profile")
    if profile:
        from streams.bench.gpu import bench_gpu
        from streams.settings import REPOSITORY

        given = load_settings().model_repository
        cpu = REPOSITORY / "triton_models" / "cpu"
        repository = REPOSITORY / "triton_models" / "gpu" if given == cpu else given
        _run(lambda: bench_gpu(repository, out))
    if backfill:
        from streams.bench.backfill_cost import bench_backfill as run_bench
    else:
        from streams.bench.pipeline import bench as run_bench

    _run(lambda: run_bench(out))


@app.command()
def evaluate(
    paths: Annotated[
        list[Path], typer.Argument(help="Labelled data: files, folders (docs/evaluation.md)")
    ],
    config: Annotated[
        list[Path] | None,
        typer.Option("--config", help="TOML of a configuration; several are compared"),
    ] = None,
    out_folder: Annotated[
        Path, typer.Option("--out", help="Results and report; a run goes on where it ended")
    ] = Path("chartproof-evaluation"),
    more: Annotated[
        list[str] | None, typer.Option("--set", help="A setting, NAME=VALUE; repeat for more")
    ] = None,
    label: Annotated[
        list[str] | None, typer.Option("--label", help="A set's own label, OWN=OURS; repeatable")
    ] = None,
    jobs: Annotated[int | None, typer.Option(help="Processes [default: the cores]")] = None,
    seed: Annotated[int, typer.Option(help="Of resampling, and of what formats make")] = 1,
    resamples: Annotated[int, typer.Option(help="Of the bootstrap; 0: no intervals")] = 1000,
    why: Annotated[str | None, typer.Option(help="Why a guarded set is run; logged")] = None,
    shuffle_labels: Annotated[
        bool, typer.Option("--shuffle-labels", help="A control: all must come out as chance")
    ] = False,
) -> None:
    """Verify labelled claims and texts in this process, and report how good the verdicts are."""
    with _reported_errors(), _extra("evaluate"):
        from streams.cli.evaluate import Options, run_evaluate

        code = run_evaluate(
            Options(
                paths,
                out_folder,
                load_settings().model_repository,
                _named(label or []),
                seed,
                jobs,
                resamples,
                why,
                shuffle_labels=shuffle_labels,
            ),
            config or [],
            _named(more or []),
            console=out,
            progress=err,
        )
        raise typer.Exit(code)


@app.command()
def settings_table() -> None:
    """Say what each setting of a verification does on the sample chart, in this process."""
    from streams.cli.settings_table import settings_table as run_table

    _run(lambda: run_table(load_settings().model_repository, out))


@app.command()
def calibrate(
    run: Annotated[Path, typer.Argument(help="Folder of one run of `chartproof evaluate`")],
    out_file: Annotated[Path, typer.Option("--out", help="Where the curves go, JSON")],
) -> None:
    """Fit a language-model judge's confidence to labels: curves for CHARTPROOF_LLM_CALIBRATION."""
    with _reported_errors(), _extra("evaluate"):
        from agents.evaluation.calibration import calibration_of

        fitted = calibration_of(run)
        out_file.write_bytes(orjson.dumps(fitted, option=orjson.OPT_INDENT_2))
    out.print(f"Written: {out_file}")


study_app = typer.Typer(no_args_is_help=True, help="Many configurations over the same data.")
app.add_typer(study_app, name="study")

StudyPaths = Annotated[list[Path], typer.Argument(help="Labelled data: files, folders")]
StudyOut = Annotated[Path, typer.Option("--out", help="Results and table; goes on where it ended")]
StudyCharts = Annotated[int | None, typer.Option(help="Only the first so many charts of a set")]
StudyResamples = Annotated[int, typer.Option(help="Of the bootstrap; 0: no p-values")]
StudyJobs = Annotated[int | None, typer.Option(help="Processes [default: the cores]")]


@study_app.command()
def verifact(
    paths: StudyPaths,
    top_n: Annotated[
        list[int] | None, typer.Option(help="Facts shown; repeat for more [default: 5 to 150]")
    ] = None,
    out_folder: StudyOut = Path("chartproof-study-verifact"),
    charts: StudyCharts = None,
    jobs: StudyJobs = None,
    resamples: StudyResamples = 1000,
) -> None:
    """VeriFact's study: facts shown, search, how facts are shown, scope."""
    _study("verifact", paths, out_folder, charts, jobs, resamples, top_n or [])


@study_app.command()
def medsnip(
    paths: StudyPaths,
    rounds: Annotated[
        list[int] | None, typer.Option(help="Rounds of search; repeat for more [default: 1 to 5]")
    ] = None,
    out_folder: StudyOut = Path("chartproof-study-medsnip"),
    charts: StudyCharts = None,
    jobs: StudyJobs = None,
    resamples: StudyResamples = 1000,
) -> None:
    """MedSNIP's study: unit, mode, rounds; coverage and F1 of the false class."""
    _study("medsnip", paths, out_folder, charts, jobs, resamples, rounds or [])


@study_app.command()
def ablation(
    paths: StudyPaths,
    out_folder: StudyOut = Path("chartproof-study-ablation"),
    charts: StudyCharts = None,
    jobs: StudyJobs = None,
    resamples: StudyResamples = 1000,
) -> None:
    """The pipeline as it is, and without one part of it or of its judge at a time."""
    _study("ablation", paths, out_folder, charts, jobs, resamples, [])


def _study(
    name: Literal["verifact", "medsnip", "ablation"],
    paths: list[Path],
    out_folder: Path,
    charts: int | None,
    jobs: int | None,
    resamples: int,
    levels: list[int],
) -> None:
    with _reported_errors(), _extra("study"):
        from streams.cli.evaluate import Options
        from streams.cli.study import run_study

        options = Options(
            paths,
            out_folder,
            load_settings().model_repository,
            {},
            jobs=jobs,
            resamples=resamples,
            charts=charts,
        )
        raise typer.Exit(run_study(name, options, levels, console=out, progress=err))


@study_app.command()
def omissions(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Synthea export (folder), labelled claims (file); the sample chart without"
        ),
    ] = None,
    k: Annotated[int, typer.Option("-k", help="Facts of a kind that a summary leaves out")] = 2,
    encounters: Annotated[int, typer.Option(help="Encounters of a Synthea patient")] = 3,
    seed: Annotated[int, typer.Option(help="Of what is left out")] = 1,
) -> None:
    """Leave known facts out of summaries and see which are listed; recall and precision by kind."""
    from streams.cli.omissions import run_omissions

    async def work() -> int:
        return await run_omissions(
            paths or [],
            model_repository=load_settings().model_repository,
            k=k,
            encounters=encounters,
            seed=seed,
            console=out,
        )

    _run(work)


@contextlib.contextmanager
def _extra(name: str) -> Iterator[None]:
    """Libraries that only this command needs are in an extra of the package."""
    try:
        yield
    except ModuleNotFoundError as missing:
        library = (missing.name or "").partition(".")[0]
        if library not in ("scipy", "sklearn", "krippendorff"):
            raise
        package = "scikit-learn" if library == "sklearn" else library
        raise ValueError(f"{name} needs {package}: pip install {package}") from None


def _print_json(document: object) -> None:
    sys.stdout.write(orjson.dumps(document, option=orjson.OPT_INDENT_2).decode() + "\n")


def _named(given: Sequence[str]) -> dict[str, str]:
    """`name=value` each; pydantic reads the values."""
    pairs = [pair.partition("=") for pair in given]
    if not all(equals for _, equals, _ in pairs):
        raise ValueError("--set takes NAME=VALUE")
    return {name.strip().replace("-", "_"): value.strip() for name, _, value in pairs}


def _time(given: str) -> datetime:
    """A date alone means to the end of that day, in the site's zone."""
    from agents.intake.times import parse_time

    time = parse_time(given, ZoneInfo(load_settings().site_zone), end_of_day=True)
    if time is None:
        raise ValueError(f"--as-of {given!r} is not a date or an RFC 3339 time")
    return time


if __name__ == "__main__":
    main()
