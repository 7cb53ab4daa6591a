"""On the sample chart, with the real models, what a summary leaves out is what is listed."""

from pathlib import Path

from agents.adapters.models import in_process
from agents.evaluation.omission_cases import summaries
from agents.evaluation.omission_run import list_omissions
from streams.local.sample.salient import sample_case


async def test_facts_left_out_are_listed_and_facts_that_are_said_are_not() -> None:
    case = sample_case()
    made = summaries(case, seed=4, k=3)
    models = await in_process.load(Path("triton_models/cpu"))
    try:
        listed = await list_omissions(models, [case], made)
    finally:
        await models.close()
    gone = sum(len(each.left_out) for each in made)
    assert (
        sum(len(each.hit) for each in listed) >= 0.5 * gone
    )  # 10 of 17 with the judge that reads, 17 with the rules before
    said = sum(each.marks.count("said") for each in listed)
    assert said <= 0.1 * gone
    assert len(listed[0].marks) <= 4  # of the summary that leaves nothing out
