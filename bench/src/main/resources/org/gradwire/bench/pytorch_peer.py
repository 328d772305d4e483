"""One of the two PyTorch processes that ./gradwire bench measures.

usage: pytorch_peer.py RANK PORT|HOST:PORT
With a host the two processes run on different ones, and use the transport uv over the interface eth0.
Rank 0 reads lines "METRIC MILLISECONDS", does the work of that metric for that time, and answers "MEDIAN TAIL" in nanoseconds;
before the first it prints "ready" and the metrics it knows. Both end when their standard input does.
"""
import collections
import ctypes
import os
import sys
import threading
import time

rank = int(sys.argv[1])
host, _, port = sys.argv[2].rpartition(":")
os.environ.update(MASTER_ADDR=host or "127.0.0.1", MASTER_PORT=port, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
if host:
    os.environ.update(TP_SOCKET_IFNAME="eth0", GLOO_SOCKET_IFNAME="eth0")
os.environ.setdefault("GLOG_minloglevel", "3")

import torch
import torch.distributed.autograd as dist_autograd
import torch.distributed.rpc as rpc

PEER, WINDOW = "peer1", 64
PER_SECOND, THREADS = 10_000, 4  # of paced calls
clock = time.perf_counter_ns


def noop():
    return None


def echo(x):
    return x


def relu_linear(x, w):
    return torch.relu(x @ w)


def latency(call):
    def measure(nanos):
        begin = now = clock()
        times = []
        while now - begin < nanos or len(times) < 3:
            call()
            end = clock()
            times.append(end - now)
            now = end
        times.sort()
        return times[len(times) // 2], times[int(len(times) * 0.99)]
    return measure


def rate(start):
    def measure(nanos):
        pending, count, begin = collections.deque(), 0, clock()
        while clock() - begin < nanos:
            pending.append(start())
            count += 1
            if len(pending) == WINDOW:
                pending.popleft().wait()
        while pending:
            pending.popleft().wait()
        each = (clock() - begin) // count
        return each, each
    return measure


def paced(nanos, per_second, first, call):
    """Call at fixed times; a call whose time has passed begins at once."""
    begin = clock() + first
    for i in range(nanos * per_second // 1_000_000_000):
        wait = begin + i * 1_000_000_000 // per_second - clock()
        if wait > 0:
            time.sleep(wait / 1e9)
        call()


def median_and_tail(times):
    times.sort()
    return times[len(times) // 2], times[int(len(times) * 0.99)]


def paced_async(start):
    def measure(nanos):
        free, times = threading.Semaphore(WINDOW), []

        def call():
            free.acquire()
            begin = clock()

            def done(_):
                times.append(clock() - begin)
                free.release()
            start().add_done_callback(done)
        paced(nanos, PER_SECOND, 0, call)
        for _ in range(WINDOW):
            free.acquire()
        return median_and_tail(times)
    return measure


def paced_sync(work):
    def measure(nanos):
        times = []

        def call():
            begin = clock()
            work()
            times.append(clock() - begin)
        threads = [threading.Thread(target=paced, args=(nanos, PER_SECOND // THREADS, i * 1_000_000_000 // PER_SECOND, call))
                   for i in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return median_and_tail(times)
    return measure


def local_tasks():
    a, b = (torch.rand(3, 3, requires_grad=True) for _ in range(2))
    x, y = torch.rand(1 << 20), torch.rand(1 << 20)
    m512, m1024 = torch.rand(512, 512), torch.rand(1024, 1024)
    net = torch.nn.Sequential(torch.nn.Linear(784, 512), torch.nn.ReLU(), torch.nn.Linear(512, 512), torch.nn.ReLU(),
                              torch.nn.Linear(512, 10))
    optimizer = torch.optim.SGD(net.parameters(), 0.01)
    data, target = torch.rand(64, 784), torch.randint(0, 10, (64,))
    weight, bias, images = torch.rand(64, 64, 3, 3), torch.rand(64), torch.rand(16, 64, 28, 28)

    filters, offset, pictures = (torch.rand_like(t).requires_grad_() for t in (weight, bias, images))
    table = torch.rand(10_000, 64, requires_grad=True)
    indices, offsets = torch.randint(0, 10_000, (4096,)), torch.arange(0, 4096, 8)

    def conv_backward():
        pictures.grad = filters.grad = offset.grad = None
        torch.nn.functional.conv2d(pictures, filters, offset, padding=1).sum().backward()

    def embedding_bag():
        table.grad = None
        torch.nn.functional.embedding_bag(indices, table, offsets, mode="sum").sum().backward()

    def training_step():
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(data), target).backward()
        optimizer.step()

    return {
        "local.fwdbwd.matmul3x3": latency(lambda: (a @ b).sum().backward()),
        "local.sgemm512": latency(lambda: m512 @ m512),
        "local.sgemm1024": latency(lambda: m1024 @ m1024),
        "local.add1M": latency(lambda: x + y),
        "local.mul1M": latency(lambda: x * y),
        "local.exp1M": latency(lambda: torch.exp(x)),
        "local.mlpstep": latency(training_step),
        "local.conv3x3.forward": latency(lambda: torch.nn.functional.conv2d(images, weight, bias, padding=1)),
        "local.conv3x3.fwdbwd": latency(conv_backward),
        "local.embeddingbag": latency(embedding_bag),
    }


def remote_tasks():
    t = torch.ones(2, 2)
    a, b = (torch.rand(3, 3, requires_grad=True) for _ in range(2))
    w, x = torch.rand(256, 256, requires_grad=True), torch.rand(64, 256)

    def matmul():
        with dist_autograd.context() as context:
            dist_autograd.backward(context, [rpc.rpc_sync(PEER, torch.matmul, args=(a, b)).sum()])
            dist_autograd.get_gradients(context)

    def chain():
        with dist_autograd.context() as context:
            h = x
            for _ in range(4):
                h = rpc.rpc_sync(PEER, relu_linear, args=(h, w))
            dist_autograd.backward(context, [h.sum()])

    def passes(count):
        def run():
            with dist_autograd.context() as context:
                loss = rpc.rpc_sync(PEER, torch.add, args=(a, b)).sum()
                for _ in range(count):
                    dist_autograd.backward(context, [loss], retain_graph=True)
        return latency(run)

    def calls_in_a_row(count):
        def run():
            with dist_autograd.context() as context:
                h = a
                for _ in range(count):
                    h = rpc.rpc_sync(PEER, torch.add, args=(h, b))
                dist_autograd.backward(context, [h.sum()])
        return latency(run)

    def big(kib):
        tensor = torch.ones(kib * 256)
        return latency(lambda: rpc.rpc_sync(PEER, echo, args=(tensor,)))

    return {
        "rpc.sync.add2x2": latency(lambda: rpc.rpc_sync(PEER, torch.add, args=(t, t))),
        "rpc.sync.noop": latency(lambda: rpc.rpc_sync(PEER, noop)),
        "rpc.sync.echo2x2": latency(lambda: rpc.rpc_sync(PEER, echo, args=(t,))),
        "rpc.remote.tohere.add2x2": latency(lambda: rpc.remote(PEER, torch.add, args=(t, t)).to_here()),
        "rpc.async64.add2x2": rate(lambda: rpc.rpc_async(PEER, torch.add, args=(t, t))),
        "rpc.async64.echo2x2": rate(lambda: rpc.rpc_async(PEER, echo, args=(t,))),
        "paced.async1": paced_async(lambda: rpc.rpc_async(PEER, torch.add, args=(t, t))),
        "paced.sync4": paced_sync(lambda: rpc.rpc_sync(PEER, torch.add, args=(t, t))),
        "dist.fwdbwd.matmul3x3": latency(matmul),
        "dist.chain4.256": latency(chain),
        "dist.backward1000.add3x3": passes(1000),
        **{f"dist.calls{count}.add3x3": calls_in_a_row(count) for count in (10, 100, 1000)},
        **{f"rpc.echo.{kib}KiB": big(kib) for kib in (64, 1024, 8192, 65536)},
    }


def network_tasks():
    t, large = torch.ones(2, 2), torch.ones(2 << 20)
    return {
        "net.sync.noop": latency(lambda: rpc.rpc_sync(PEER, noop)),
        "net.sync.add2x2": latency(lambda: rpc.rpc_sync(PEER, torch.add, args=(t, t))),
        "net.echo.8MiB": latency(lambda: rpc.rpc_sync(PEER, echo, args=(large,))),
    }


def serve():
    tasks = network_tasks() if host else {**local_tasks(), **remote_tasks()}
    print("ready", *tasks, flush=True)
    for line in sys.stdin:
        name, millis = line.split()
        print(*tasks[name](int(millis) * 1_000_000), flush=True)


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
carriers = dict(_transports=["uv"], _channels=["basic"]) if host else {}
rpc.init_rpc(f"peer{rank}", rank=rank, world_size=2,
             rpc_backend_options=rpc.TensorPipeRpcBackendOptions(num_worker_threads=4, rpc_timeout=60, **carriers))
if rank == 0:
    serve()
rpc.shutdown()
