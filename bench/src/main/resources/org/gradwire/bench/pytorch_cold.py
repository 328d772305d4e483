"""One of the two fresh PyTorch processes that ./gradwire bench --cold measures.

usage: pytorch_cold.py CALLS PASSES RANK PORT
Rank 0 calls torch.add of rank 1, and then runs distributed backward passes through it. For each of the two it prints a line with
the nanoseconds of the first as soon as it has ended, and a line with those of all others. Both end when their standard input does.
"""
import os
import sys
import time

calls, passes, rank, port = (int(argument) for argument in sys.argv[1:])
os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port), OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
os.environ.setdefault("GLOG_minloglevel", "3")

import torch
import torch.distributed.autograd as dist_autograd
import torch.distributed.rpc as rpc

PEER = "peer1"
clock = time.perf_counter_ns


def nanos(work):
    begin = clock()
    work()
    return clock() - begin


def measure(count, work):
    print(nanos(work), flush=True)
    print(*[nanos(work) for _ in range(count - 1)], flush=True)


def serve():
    t = torch.ones(2, 2)
    measure(calls, lambda: rpc.rpc_sync(PEER, torch.add, args=(t, t)))
    a, b = (torch.rand(3, 3, requires_grad=True) for _ in range(2))

    def backward():
        with dist_autograd.context() as context:
            dist_autograd.backward(context, [rpc.rpc_sync(PEER, torch.matmul, args=(a, b)).sum()])
            dist_autograd.get_gradients(context)

    measure(passes, backward)


torch.set_num_threads(1)
rpc.init_rpc(f"peer{rank}", rank=rank, world_size=2,
             rpc_backend_options=rpc.TensorPipeRpcBackendOptions(num_worker_threads=4, rpc_timeout=60))
if rank == 0:
    serve()
sys.stdin.read()
rpc.shutdown()
