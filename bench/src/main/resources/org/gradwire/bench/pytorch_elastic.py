"""Starts a group of workers, and starts all again after the end of one, as torchrun does it.

The arguments: program of the workers, seconds between looks at them, port, restarts, number of workers, arguments of
the program.
torchrun itself does not start with the Python 3.11 and PyTorch 1.13 of Debian 12; this calls what it calls.
"""

import sys


def supervise(program, interval, port, restarts, workers, *arguments):
    from torch.distributed.elastic.multiprocessing import Std
    from torch.distributed.launcher.api import LaunchConfig, elastic_launch

    config = LaunchConfig(
        min_nodes=1,
        max_nodes=1,
        nproc_per_node=int(workers),
        run_id="recovery",
        rdzv_backend="c10d",
        rdzv_endpoint=f"localhost:{port}",
        max_restarts=int(restarts),
        monitor_interval=float(interval),
        redirects=Std.NONE,
        tee=Std.NONE,
    )
    elastic_launch(config, sys.executable)("-u", program, *arguments)


if __name__ == "__main__":
    supervise(*sys.argv[1:])
