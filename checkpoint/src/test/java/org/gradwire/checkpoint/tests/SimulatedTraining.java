package org.gradwire.checkpoint.tests;

import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.checkpoint.Checkpoint;
import org.gradwire.checkpoint.CheckpointException;
import org.gradwire.checkpoint.CheckpointStorage;
import org.gradwire.checkpoint.Stateful;
import org.gradwire.checkpoint.tests.functions.Ledger;
import org.gradwire.junit.Workers;
import org.gradwire.nn.Linear;
import org.gradwire.nn.remote.DistributedOptimizer;
import org.gradwire.nn.remote.RemoteModule;
import org.gradwire.optim.SGD;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcPromise;
import org.gradwire.spi.Worker;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A random program that each member of a simulated group runs on a simulated thread: it pays
 * amounts to others, trains a module on the next member, and an equal local one with the same
 * gradients, and saves checkpoints.
 */
final class SimulatedTraining {
    static final int STEPS = 12;
    private static final double RATE = 0.5;

    private final Workers workers;
    private final Path directory;
    private final int leaver; // rank of a member that stops; -1: none

    SimulatedTraining(Workers workers, Path directory, int leaver) {
        this.workers = workers;
        this.directory = directory;
        this.leaver = leaver;
    }

    /** Run all members; {@return why those that did not end have failed, by rank} */
    List<@Nullable RuntimeException> run() {
        List<RpcPromise<@Nullable RuntimeException>> ends = new ArrayList<>();
        for (int rank = 0; rank < workers.size(); rank++) {
            int own = rank;
            RpcPromise<@Nullable RuntimeException> end = workers.get(leaver == 0 ? 1 : 0).promise();
            ends.add(end);
            Worker.of(workers.get(rank)).executor().execute(() -> end.complete(failureOf(own)));
        }
        List<@Nullable RuntimeException> failures = new ArrayList<>();
        ends.forEach(end -> failures.add(end.join()));
        return failures;
    }

    private @Nullable RuntimeException failureOf(int rank) {
        try {
            train(rank);
            return null;
        } catch (IOException e) {
            return new UncheckedIOException(e);
        } catch (RuntimeException e) {
            return e;
        }
    }

    private void train(int rank) throws IOException {
        Rpc rpc = workers.get(rank);
        String next = "worker" + (rank + 1) % workers.size();
        var replica = new Linear(2, 1, rank);
        try (var remote = RemoteModule.create(rpc, next, Linear::new, 2, 1, (long) rank);
                var checkpoint = Checkpoint.of(rpc, Members.names(workers.all()), directory)) {
            List<RRef<Tensor>> parameters = remote.remoteParameters();
            try (var optimizer = DistributedOptimizer.create(rpc, SGD::new, parameters, RATE)) {
                var own = new SGD(replica.parameters(), RATE);
                Map<String, Stateful> states =
                        states(rank, Ledger.of(rpc), Stateful.of(replica), Stateful.of(remote));
                run(
                        rpc,
                        number -> {
                            step(rpc, remote, optimizer, inputs(rank, number));
                            step(replica, own, inputs(rank, number));
                        },
                        checkpoint,
                        states);
            }
            parameters.forEach(RRef::close);
        }
    }

    /** {@return the states of a member by name} */
    static Map<String, Stateful> states(
            int rank, Stateful ledger, Stateful replica, Stateful remote) {
        return Map.of(
                "ledger-" + rank, ledger, "replica-" + rank, replica, "remote-" + rank, remote);
    }

    private interface Step {
        void run(int number);
    }

    private void run(Rpc rpc, Step step, Checkpoint checkpoint, Map<String, Stateful> states)
            throws IOException {
        var own = new SplittableRandom(31L * workers.seed() + rpc.self().id());
        var common = new SplittableRandom(workers.seed()); // all members save at the same steps
        int last = rpc.self().id() == leaver ? own.nextInt(2, STEPS) : STEPS;
        List<RpcFuture<?>> calls = new ArrayList<>();
        for (int number = 1; number <= last; number++) {
            for (int i = own.nextInt(4); i > 0; i--) {
                int to = own.nextInt(1, workers.size());
                int payee = (rpc.self().id() + to) % workers.size();
                calls.add(Ledger.of(rpc).pay(rpc, payee, own.nextLong(1, 100)));
            }
            step.run(number);
            boolean saves = common.nextInt(3) == 0;
            boolean waits = common.nextBoolean();
            if (saves || number == STEPS) {
                end(calls);
                save(checkpoint, number, states, waits);
            }
        }
        if (rpc.self().id() == leaver) {
            rpc.shutdownNow();
        }
        end(calls);
    }

    private static void end(List<RpcFuture<?>> calls) {
        calls.forEach(RpcFuture::join);
        calls.clear();
    }

    private static void save(
            Checkpoint checkpoint, int number, Map<String, Stateful> states, boolean waits)
            throws IOException {
        if (waits) {
            var _ = checkpoint.save(number, states);
        } else {
            var _ = checkpoint.saveAsync(number, states);
        }
    }

    private static Tensor inputs(int rank, int number) {
        return Tensor.randn(new SplittableRandom(1000L * rank + number), 3, 2);
    }

    private static void step(
            Rpc rpc, RemoteModule<Linear> module, DistributedOptimizer optimizer, Tensor inputs) {
        try (var context = DistAutograd.context(rpc)) {
            context.backward(module.forward(Linear::forward, inputs).sum());
            optimizer.step(context);
        }
    }

    private static void step(Linear module, SGD optimizer, Tensor inputs) {
        optimizer.zeroGrad();
        module.forward(inputs).sum().backward();
        optimizer.step();
    }

    /** {@return the steps of the checkpoints in the directory} */
    List<Long> saved() throws IOException {
        return Checkpoint.steps(CheckpointStorage.directory(directory));
    }

    /** {@return whether a failure is one that a member has when another is lost} */
    static boolean isOfLoss(@Nullable RuntimeException failure) {
        return failure instanceof RpcException
                || (failure instanceof UncheckedIOException io
                        && io.getCause() instanceof CheckpointException);
    }
}
