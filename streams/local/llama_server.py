"""What the language model's process runs: llama.cpp's server, from the wheel `xllamacpp`.

`python -m streams.local.llama_server WEIGHTS PORT SLOTS CONTEXT`. It ends by a signal.
"""

from __future__ import annotations

import signal
import sys
from importlib import import_module

from streams.local.ports import LOOPBACK


def main(weights: str, port: str, slots: str, context: str) -> None:
    llama = import_module("xllamacpp")
    params = llama.CommonParams()
    params.model.path = weights
    params.hostnames = [LOOPBACK]
    params.port = int(port)
    params.n_parallel = int(slots)
    params.n_ctx = int(slots) * int(context)
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.warmup = False
    # Its log would hold prompts, which are notes.
    params.verbosity = 0
    params.endpoint_slots = False
    server = llama.Server(params)
    signal.sigwait({signal.SIGTERM, signal.SIGINT})
    del server


if __name__ == "__main__":
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
    main(*sys.argv[1:])
