"""A group of workers that is started again after the end of one, as torchrun does it.

The supervisor has the arguments: number of workers, restarts, seconds between its looks at the workers, port, file.
torchrun itself does not start with the Python 3.11 and PyTorch 1.13 of Debian 12; this calls what it calls.

A worker has the file as its argument. Its step is an all-reduce of all workers, until the file exists. It prints a
line after its first step: its rank, its process id, and the time in microseconds since 1970.
"""

import os
import sys
import time


def supervise(workers, restarts, interval, port, stop):
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
    elastic_launch(config, sys.executable)("-u", os.path.abspath(__file__), stop)


def work(stop):
    import torch
    import torch.distributed as dist

    dist.init_process_group("gloo")
    is_first = True
    while True:
        value = torch.tensor([float(os.path.exists(stop))])
        dist.all_reduce(value)
        if is_first:
            is_first = False
            line = f"first {dist.get_rank()} {os.getpid()} {time.time_ns() // 1000}\n"
            os.write(1, line.encode())  # one write, so that lines of several workers do not mix
        time.sleep(0.002)
        if value.item() > 0:
            break
    dist.destroy_process_group()


if __name__ == "__main__":
    if len(sys.argv) == 2:
        work(sys.argv[1])
    else:
        supervise(*sys.argv[1:])
