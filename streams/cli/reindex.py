"""`chartproof reindex`: a second index for another embedder, from the rows of the live one."""

from __future__ import annotations

from contextlib import AsyncExitStack

from rich.console import Console

from agents.adapters.index.reindex import Reindexer
from agents.errors import PermanentError
from streams.dependencies import open_index, open_models, stored_dim
from streams.settings import load_settings


async def reindex(prefix: str, console: Console) -> int:
    """Copy the index that the settings name into collections named with `prefix`.

    Raises `PermanentError` where both are one, or the target is another embedder's.
    """
    settings = load_settings()
    if prefix == settings.milvus_prefix:
        raise PermanentError("reindex", "--to names the live index itself: name another prefix")
    target_settings = settings.model_copy(update={"milvus_prefix": prefix})
    async with AsyncExitStack() as opened:
        models = await open_models(settings)
        opened.push_async_callback(models.close)
        dim = await stored_dim(settings)
        if dim is None:
            console.print("The index is empty: there is nothing to copy.")
            return 0
        source = await open_index(settings, dim=dim)
        opened.push_async_callback(source.close)
        target = await open_index(target_settings, dim=models.embedder.dim)
        opened.push_async_callback(target.close)
        with console.status("copying") as status:
            done = await Reindexer(source, target, models.embedder).run(
                lambda now: status.update(f"{now.documents} documents, {now.facts} facts copied")
            )
    console.print(
        f"{done.documents} documents with {done.facts} facts copied for {models.embedder.version}, "
        f"{done.unchanged} were there already."
    )
    console.print(
        f"Start the workers with CHARTPROOF_MILVUS_PREFIX={prefix}, then run this once more under "
        "the old prefix: it copies what has come meanwhile."
    )
    return 0
