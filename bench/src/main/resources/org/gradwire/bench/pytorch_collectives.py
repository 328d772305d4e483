"""A member of a process group of PyTorch with the backend gloo, the same work as CollectivePeer.

usage: pytorch_collectives.py MEMBERS INTERFACE RANK HOST:PORT
Rank 0 prints "ready" and the metrics it knows, then answers each line "METRIC MILLISECONDS" with "MEDIAN TAIL" in
nanoseconds, until its input ends. By a broadcast it tells the others which operation they repeat, and how often.
"""
import ctypes
import datetime
import os
import sys
import threading
import time

size, interface, rank, meeting = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4]
os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
if sys.platform == "linux":
    os.environ["GLOO_SOCKET_IFNAME"] = interface

import torch
import torch.distributed as dist

KIB, MIB, ROOT, LEAST, MOST = 1 << 10, 1 << 20, 1, 3, 1_000_000
clock = time.perf_counter_ns


def filled(of, length):
    return torch.full((length,), of + 1.0)


def require(results, expected):
    for i, (result, right) in enumerate(zip(results, expected)):
        if not torch.equal(result, right):
            raise AssertionError(f"rank {rank} has {result} instead of {right}")


def all_reduce(length):
    tensor = filled(rank, length)
    dist.all_reduce(tensor)
    require([tensor], [torch.full((length,), size * (size + 1) / 2)])
    tensor.zero_()  # it is the next sum's input
    return lambda: dist.all_reduce(tensor)


def broadcast(length):
    tensor = filled(rank, length)
    dist.broadcast(tensor, ROOT)
    require([tensor], [filled(ROOT, length)])
    return lambda: dist.broadcast(tensor, ROOT)


def all_gather(length):
    tensor, results = filled(rank, length), [torch.empty(length) for _ in range(size)]
    dist.all_gather(results, tensor)
    require(results, [filled(of, length) for of in range(size)])
    return lambda: dist.all_gather(results, tensor)


def all_to_all(length):
    part = length // size
    tensor, result = filled(rank, size * part), torch.empty(size * part)
    dist.all_to_all_single(result, tensor)
    require([result], [torch.cat([filled(of, part) for of in range(size)])])
    return lambda: dist.all_to_all_single(result, tensor)


def training_step():
    net = torch.nn.Sequential(torch.nn.Linear(784, 512), torch.nn.ReLU(), torch.nn.Linear(512, 512), torch.nn.ReLU(),
                              torch.nn.Linear(512, 10))
    parallel = torch.nn.parallel.DistributedDataParallel(net)
    optimizer = torch.optim.SGD(net.parameters(), 0.01)
    torch.manual_seed(rank)
    data, target = torch.rand(64, 784), torch.randint(0, 10, (64,))

    def step():
        torch.nn.functional.cross_entropy(parallel(data), target).backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

    for _ in range(3):
        step()
    weight = net[0].weight.detach()
    results = [torch.empty_like(weight) for _ in range(size)]
    dist.all_gather(results, weight)
    require(results, [weight] * size)
    return step


tasks = {
    "collective.allreduce.4B": lambda: all_reduce(1),
    "collective.allreduce.64KiB": lambda: all_reduce(64 * KIB // 4),
    "collective.allreduce.1MiB": lambda: all_reduce(MIB // 4),
    "collective.allreduce.16MiB": lambda: all_reduce(16 * MIB // 4),
    "collective.allreduce.256MiB": lambda: all_reduce(256 * MIB // 4),
    "collective.broadcast.64KiB": lambda: broadcast(64 * KIB // 4),
    "collective.broadcast.1MiB": lambda: broadcast(MIB // 4),
    "collective.allgather.64KiB": lambda: all_gather(64 * KIB // 4),
    "collective.allgather.1MiB": lambda: all_gather(MIB // 4),
    "collective.alltoall.64KiB": lambda: all_to_all(64 * KIB // 4),
    "collective.alltoall.1MiB": lambda: all_to_all(MIB // 4),
    "collective.barrier": lambda: dist.barrier,
    "collective.ddp.mlpstep": training_step,
}
if size > 2:
    del tasks["collective.allreduce.256MiB"]
names = list(tasks)
calls = {}


def run(name, count):
    if name not in calls:
        calls[name] = tasks[name]()
    call, times, now = calls[name], [], clock()
    for _ in range(count):
        call()
        end = clock()
        times.append(end - now)
        now = end
    times.sort()
    return times[count // 2], times[int(count * 0.99)]


def announce(name, count):
    message = torch.tensor([name, count])
    dist.broadcast(message, 0)
    return message.tolist()


def repeat(name, count):
    announce(names.index(name), count)
    return run(name, count)


def measure(name, nanos):
    each = max(1, repeat(name, LEAST)[0])
    return repeat(name, min(max(nanos // each, LEAST), MOST))


def serve():
    print("ready", *names, flush=True)
    for line in sys.stdin:
        name, millis = line.split()
        print(*measure(name, int(millis) * 1_000_000), flush=True)
    announce(0, 0)


def follow():
    name, count = announce(0, 0)
    while count > 0:
        run(names[name], count)
        name, count = announce(0, 0)


def end_with_parent():
    # A process that is stopped when its parent dies does not see the end of its input.
    kill_on_parents_death, signal = 1, 9
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(kill_on_parents_death, signal)


def end_with_input():
    sys.stdin.read()
    os._exit(0)


end_with_parent()
torch.set_num_threads(1)
if rank != 0:
    threading.Thread(target=end_with_input, daemon=True).start()
dist.init_process_group("gloo", init_method=f"tcp://{meeting}", rank=rank, world_size=size,
                        timeout=datetime.timedelta(hours=12))
if rank == 0:
    serve()
else:
    follow()
