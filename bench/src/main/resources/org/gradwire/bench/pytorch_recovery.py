"""A worker whose step is an all-reduce of all workers, until a file exists. Its argument is the file.

It prints a line after its first step: its rank, its process id, and the time in microseconds since 1970.
"""

import os
import sys
import time

import torch
import torch.distributed as dist

stop = sys.argv[1]
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
