package org.gradwire.collective.tests;

import org.gradwire.collective.ProcessGroup;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcPromise;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.spi.Worker;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A random program of operations, messages, calls and references, which each member of a simulated
 * group runs on a simulated thread. The members use a new group after each failure.
 */
final class SimulatedProgram {
    /** Groups that the members make, each after the end of the one before. */
    static final int GROUPS = 3;

    private static final int STEPS = 14;
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration PAUSE = Duration.ofSeconds(30);

    private final Workers workers;
    private final int leaver; // the rank of a worker that stops within the second group; -1: none
    private final List<List<Step>> steps = new ArrayList<>(); // by group
    private final SplittableRandom random;
    private final RandomOperations operations;

    /** The end of a member's use of a group. */
    record End(int lastBarrier, int failedAt, @Nullable RpcException failure) {

        /** {@return the end without the text of a failure, which names times and places} */
        String summary() {
            return failure == null
                    ? "passed barrier " + lastBarrier
                    : "%s at %d after barrier %d".formatted(failure.kind(), failedAt, lastBarrier);
        }
    }

    /** A part of the program, the same for all members. */
    private sealed interface Step {}

    private record Operation(RandomOperations.Case operation) implements Step {}

    private record Send(int from, int to, Tensor tensor) implements Step {}

    private record Call(int from, int to, boolean keeps) implements Step {}

    private record Barrier() implements Step {}

    SimulatedProgram(Workers workers, long seed, boolean withLeaver) {
        this.workers = workers;
        this.random = new SplittableRandom(seed);
        this.operations = new RandomOperations(seed);
        this.leaver = withLeaver ? random.nextInt(workers.size()) : -1;
        for (int group = 0; group < GROUPS; group++) {
            steps.add(steps(members(group).size()));
        }
    }

    private List<Step> steps(int size) {
        List<Step> program = new ArrayList<>();
        for (int i = 0; i < STEPS; i++) {
            int from = random.nextInt(size);
            int to = (from + random.nextInt(1, size)) % size;
            program.add(
                    switch (random.nextInt(6)) {
                        case 0 -> new Barrier();
                        case 1 -> new Send(from, to, tensor(random));
                        case 2 -> new Call(from, to, random.nextBoolean());
                        default -> new Operation(operations.next(size));
                    });
        }
        program.add(new Barrier());
        return program;
    }

    /** {@return the members of a group: the survivors, after a worker has stopped} */
    private List<String> members(int group) {
        return workers.names().stream()
                .filter(name -> group < 2 || !name.equals("worker" + leaver))
                .toList();
    }

    private static Tensor tensor(SplittableRandom random) {
        return Samples.tensor(random, Samples.dtype(random), Samples.shape(random));
    }

    int leaver() {
        return leaver;
    }

    /** Run all members; {@return their ends by rank and group} */
    List<List<End>> run() {
        List<RpcPromise<List<End>>> running = new ArrayList<>();
        for (int rank = 0; rank < workers.size(); rank++) {
            int mine = rank;
            Rpc rpc = workers.get(rank);
            RpcPromise<List<End>> ends = workers.get(0).promise();
            running.add(ends);
            Worker.of(rpc)
                    .executor()
                    .execute(() -> {
                        try {
                            ends.complete(runMember(mine));
                        } catch (Throwable e) {
                            ends.fail(new IllegalStateException("member " + mine, e));
                        }
                    });
        }
        return running.stream().map(RpcFuture::join).toList();
    }

    private List<End> runMember(int rank) {
        List<End> ends = new ArrayList<>();
        for (int i = 0; i < GROUPS; i++) {
            ProcessGroup group =
                    ProcessGroup.of(workers.get(rank), "group" + i, members(i), TIMEOUT);
            boolean leaves = rank == leaver && i == 1;
            ends.add(runGroup(group, steps.get(i), leaves ? STEPS / 2 : Integer.MAX_VALUE));
            if (leaves) {
                workers.get(rank).shutdownNow();
                return ends;
            }
            group.close();
            pause(workers.get(rank));
        }
        return ends;
    }

    /** Wait until all members have noticed the end of a group. */
    private static void pause(Rpc rpc) {
        try {
            var _ = rpc.promise().join(PAUSE);
        } catch (RpcTimeoutException e) {
            return;
        }
        throw new AssertionError("a promise that none keeps was kept");
    }

    private End runGroup(ProcessGroup group, List<Step> program, int end) {
        int lastBarrier = -1;
        List<RpcFuture<@Nullable Void>> sent = new ArrayList<>();
        for (int i = 0; i < Math.min(end, program.size()); i++) {
            Step step = program.get(i);
            try {
                run(group, step, sent);
            } catch (RpcException e) {
                requireBroken(group, e);
                return new End(lastBarrier, i, e);
            }
            lastBarrier = step instanceof Barrier ? i : lastBarrier;
        }
        return new End(lastBarrier, Integer.MAX_VALUE, null);
    }

    /** Later operations of a broken group fail for its reason. */
    private static void requireBroken(ProcessGroup group, RpcException failure) {
        RpcException reason = group.failure().orElseThrow(() -> failure);
        try {
            group.barrier();
        } catch (RpcException later) {
            if (!String.valueOf(reason.getMessage()).equals(later.getMessage())) {
                throw new AssertionError("not the reason " + reason, later);
            }
            return;
        }
        throw new AssertionError("an operation of a broken group ended: " + reason);
    }

    private void run(ProcessGroup group, Step step, List<RpcFuture<@Nullable Void>> sent) {
        int rank = group.rank();
        switch (step) {
            case Barrier _ -> group.barrier();
            case Operation(var operation) ->
                    requireEqual(
                            operation.text(),
                            operation.expected().get(rank),
                            operation.member().run(group));
            case Send(int from, int to, Tensor tensor) -> {
                if (rank == from) {
                    sent.add(group.sendToAsync(tensor, to));
                } else if (rank == to) {
                    requireEqual("sendTo", List.of(tensor), List.of(group.receiveFrom(from)));
                }
            }
            case Call(int from, int to, boolean keeps) -> {
                if (rank == from) {
                    call(Rpc.current(), group.members().get(to), keeps);
                }
            }
        }
    }

    /** Make a call, or a reference; it may fail, and breaks no group. */
    private static void call(Rpc rpc, String to, boolean keeps) {
        Tensor one = Tensor.ones(2);
        try {
            if (keeps) {
                try (RRef<Tensor> sum = rpc.remote(to, Ops::add, one, one)) {
                    requireEqual("remote", List.of(Tensor.full(2.0f, 2)), List.of(sum.toHere()));
                }
            } else {
                Tensor sum = rpc.rpcSync(to, Ops::add, one, one);
                requireEqual("call", List.of(Tensor.full(2.0f, 2)), List.of(sum));
            }
        } catch (RpcException e) {
            return; // a message was lost
        }
    }

    private static void requireEqual(String text, List<Tensor> expected, List<Tensor> actual) {
        boolean same = expected.size() == actual.size();
        for (int i = 0; same && i < expected.size(); i++) {
            same =
                    expected.get(i).dtype() == actual.get(i).dtype()
                            && expected.get(i).equal(actual.get(i));
        }
        if (!same) {
            throw new AssertionError("%s gave %s, not %s".formatted(text, actual, expected));
        }
    }
}
