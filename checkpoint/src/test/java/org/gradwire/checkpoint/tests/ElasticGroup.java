package org.gradwire.checkpoint.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.checkpoint.CheckpointStorage;
import org.gradwire.checkpoint.ElasticTrainer;
import org.gradwire.checkpoint.ElasticTraining;
import org.gradwire.checkpoint.Stateful;
import org.gradwire.collective.ProcessGroup;
import org.gradwire.rpc.GroupView;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * A dynamic group in this JVM, whose members train, and are replaced by later processes of the same
 * name at given moments.
 */
final class ElasticGroup implements AutoCloseable {
    private static final int WIDTH = 5;

    private final String meeting = "inproc://" + UUID.randomUUID();
    private final int size;
    private final int steps;
    private final CheckpointStorage storage;
    private final UnaryOperator<ElasticTrainer> settings;
    private final List<Rpc> workers = new ArrayList<>();
    private final Map<String, Integer> restarts = new ConcurrentHashMap<>();
    private final BlockingQueue<Member> ended = new LinkedBlockingQueue<>();
    private final Map<String, String> failures = new TreeMap<>();
    private final Map<String, Long> continued = new ConcurrentHashMap<>();

    /** The end of a member: its tensors, or why it failed. */
    private record Member(
            String name, int restart, Map<String, Tensor> tensors, @Nullable Throwable cause) {}

    /** A moment in the training of a member. */
    enum Moment {
        BEFORE_STEP,
        AFTER_STEP,
        /** Exception of the program in the step, after which it leaves the group. */
        EXCEPTION
    }

    /**
     * The loss of a member.
     *
     * @param rank of the member
     * @param step in which it is lost, once
     */
    record Loss(int rank, long step, Moment moment) {}

    private final List<Loss> losses;

    ElasticGroup(
            int size,
            int steps,
            CheckpointStorage storage,
            UnaryOperator<ElasticTrainer> settings,
            List<Loss> losses) {
        this.size = size;
        this.steps = steps;
        this.storage = storage;
        this.settings = settings;
        this.losses = new ArrayList<>(losses);
    }

    /** Train to the end; {@return the last states of all members, by name} */
    Map<String, Tensor> train() throws InterruptedException {
        for (int rank = 0; rank < size; rank++) {
            start(rank);
        }
        Map<String, Tensor> all = new TreeMap<>();
        for (int left = size; left > 0; ) {
            Member member = ended.poll(60, TimeUnit.SECONDS);
            assertTrue(member != null, () -> "a member is still running after 60 s: " + stacks());
            if (Integer.valueOf(member.restart).equals(restarts.get(member.name))) {
                if (member.cause != null) {
                    failures.put(member.name, String.valueOf(member.cause.getMessage()));
                }
                all.putAll(member.tensors);
                left--;
            }
        }
        assertEquals(List.of(), losses, "losses that did not happen");
        return all;
    }

    /** {@return the stack traces of the members' threads} */
    private static String stacks() {
        var text = new StringBuilder();
        Thread.getAllStackTraces()
                .forEach((thread, frames) -> {
                    if (thread.getName().startsWith("worker")) {
                        text.append('\n').append(thread.getName());
                        for (StackTraceElement frame : frames) {
                            text.append("\n    ").append(frame);
                        }
                    }
                });
        return text.toString();
    }

    /** {@return why members failed, by name} */
    Map<String, String> failures() {
        return failures;
    }

    /** {@return the step from which a member has continued last; 0 if it began at the first} */
    long continued(int rank) {
        return continued.getOrDefault("worker" + rank, 0L);
    }

    private synchronized void start(int rank) {
        String name = "worker" + rank;
        int restart = restarts.merge(name, 0, (before, _) -> before + 1);
        Rpc rpc =
                Rpc.init(
                        RpcOptions.builder()
                                .rank(rank)
                                .dynamicGroup()
                                .backend("inproc")
                                .rendezvous(meeting)
                                .set("gradwire.quorum", Integer.toString(size))
                                .set("gradwire.restart", Integer.toString(restart))
                                .build());
        workers.add(rpc);
        Thread.ofPlatform().name(name + "-" + restart).start(() -> run(rpc, restart));
    }

    private void run(Rpc rpc, int restart) {
        String name = rpc.self().name();
        try (rpc) {
            var training = new Training(rpc);
            settings.apply(ElasticTrainer.on(rpc, storage)).run(training);
            ended.add(new Member(name, restart, training.last, null));
        } catch (RuntimeException | AssertionError e) {
            ended.add(new Member(name, restart, Map.of(), e));
        }
    }

    private synchronized boolean isLost(Loss loss) {
        return losses.remove(loss);
    }

    /** The training of a member. */
    private final class Training implements ElasticTraining {
        private final Rpc rpc;
        private Map<String, Tensor> last = Map.of();

        private Training(Rpc rpc) {
            this.rpc = rpc;
        }

        @Override
        public Attempt begin(GroupView view) {
            var group = ProcessGroup.of(rpc, "data-" + view.number(), view.names());
            return new Epochs(group, new Trainer(group, 1, WIDTH));
        }

        /** The epochs in one view. */
        private final class Epochs implements Attempt {
            private final ProcessGroup group;
            private final Trainer trainer;

            private Epochs(ProcessGroup group, Trainer trainer) {
                this.group = group;
                this.trainer = trainer;
            }

            @Override
            public Map<String, Stateful> states() {
                return trainer.states();
            }

            @Override
            public void continueFrom(long number) {
                continued.put(rpc.self().name(), number);
            }

            @Override
            public boolean wantsMore(long number) {
                return number < steps;
            }

            @Override
            public void step(long number) {
                lose(number, Moment.BEFORE_STEP);
                if (isLost(new Loss(rpc.self().id(), number, Moment.EXCEPTION))) {
                    throw new IllegalStateException("the batch is missing");
                }
                trainer.step();
                last = trainer.tensors();
                lose(number, Moment.AFTER_STEP);
            }

            private void lose(long number, Moment moment) {
                if (isLost(new Loss(rpc.self().id(), number, moment))) {
                    start(rpc.self().id());
                    throw new RpcException("this process was replaced");
                }
            }

            @Override
            public void close() {
                group.abort("the members have changed");
                group.close();
            }
        }
    }

    @Override
    public void close() {
        workers.forEach(Rpc::shutdownNow);
    }
}
