package org.gradwire.checkpoint;

import org.gradwire.rpc.GroupView;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.elastic.Elastic;

import java.time.Duration;

/**
 * Runs a training that continues from its newest state when members are lost or join, or when the
 * whole group has ended and starts again.
 *
 * {@snippet :
 * ElasticTrainer.on(rpc, CheckpointStorage.directory(Path.of("checkpoints")))
 *         .saveEvery(100)
 *         .copyEvery(10)
 *         .keepLast(3)
 *         .run(view -> new MyTraining(rpc, view));
 * }
 *
 * <p>All members of the group run it, with the same values. Every {@linkplain #copyEvery number of
 * steps} the trainers copy their states into memory, all at the same step, and every {@linkplain
 * #saveEvery number of steps} they write the copies to the storage in the background. After a
 * change of the members, each trainer begins again in the new view, and loads the newest state that
 * the members have together in their memories, over RPC, or else the newest checkpoint of the
 * storage. A training whose batches follow from seeds and the number of the step ends with the bits
 * of one that was not disturbed, if it has as many trainers.
 *
 * <p>A save that fails, for example since the storage is full, is logged, and the training
 * continues; the save of the last step has to succeed.
 *
 * <p>After the last step the first trainer {@linkplain ElasticTraining.Attempt#finish() finishes},
 * and returns. The others serve until it has left the group, and return then. A member that leaves
 * earlier, since its part has thrown an exception, ends the training on the other trainers too, if
 * too few members remain. In a {@linkplain Rpc#isDynamic() static} group there is one view, all
 * return after the last step, and a loss ends the training.
 *
 * <p>Belongs to one thread.
 */
public final class ElasticTrainer {
    private final Rpc rpc;
    private final CheckpointStorage storage;
    private String name = "training";
    private long saveEvery = 100;
    private long copyEvery; // 0: as often as it saves
    private int mirrors;
    private int keepLast = 2;
    private int minMembers;
    private Duration timeout = Duration.ofMinutes(10);

    /**
     * The values of a trainer.
     *
     * @param name of the training
     * @param saveEvery steps between two saves
     * @param copyEvery steps between two copies
     * @param mirrors number of other members that have a copy of each state
     * @param keepLast number of checkpoints that stay
     * @param minMembers of a view with which the training continues
     * @param timeout of each wait for other members
     */
    record Settings(
            String name,
            long saveEvery,
            long copyEvery,
            int mirrors,
            int keepLast,
            int minMembers,
            Duration timeout) {

        boolean isCopied(long step) {
            return step % copyEvery == 0;
        }

        boolean isSaved(long step) {
            return step % saveEvery == 0;
        }
    }

    private ElasticTrainer(Rpc rpc, CheckpointStorage storage) {
        this.rpc = rpc;
        this.storage = storage;
        this.minMembers = rpc.quorum();
    }

    /**
     * Return a trainer that saves each 100 steps, keeps the last two checkpoints, and continues in
     * views of at least {@link Rpc#quorum} members.
     *
     * @param storage that all trainers reach, now and after a loss
     */
    public static ElasticTrainer on(Rpc rpc, CheckpointStorage storage) {
        return new ElasticTrainer(rpc, storage);
    }

    /** Set the name, for several trainings in a group; {@code training} by default. */
    public ElasticTrainer name(String value) {
        name = value;
        return this;
    }

    /** Save each number of steps, and after the last one. */
    public ElasticTrainer saveEvery(long steps) {
        saveEvery = requirePositive("saveEvery", steps);
        return this;
    }

    /**
     * Copy states into memory each number of steps; only when they are saved by default. At most
     * these steps are repeated after a loss, if the copies of those that remain are all that is
     * needed: replicas are, and states with {@link #mirrors}.
     */
    public ElasticTrainer copyEvery(long steps) {
        copyEvery = requirePositive("copyEvery", steps);
        return this;
    }

    /**
     * Send each copy to a number of other members too, so that as many may be lost at once without
     * a need for the storage; 0 by default, which suffices for replicas.
     */
    public ElasticTrainer mirrors(int number) {
        if (number < 0) {
            throw new IllegalArgumentException("mirrors must be 0 or more, but is " + number);
        }
        mirrors = number;
        return this;
    }

    /** Keep a number of checkpoints, 2 by default. */
    public ElasticTrainer keepLast(int number) {
        keepLast = Math.toIntExact(requirePositive("keepLast", number));
        return this;
    }

    /** Continue in views of at least this number of members. */
    public ElasticTrainer minMembers(int number) {
        minMembers = Math.toIntExact(requirePositive("minMembers", number));
        return this;
    }

    /** Set the limit of each wait for other members; 10 minutes by default. */
    public ElasticTrainer timeout(Duration value) {
        timeout = value;
        return this;
    }

    private static long requirePositive(String what, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(
                    "%s must be 1 or more, but is %d".formatted(what, value));
        }
        return value;
    }

    /**
     * Run a training to its end.
     *
     * @throws org.gradwire.rpc.RpcException as {@link Elastic#run}, or if a state that was saved
     *     does not match those of the training
     * @throws IllegalStateException if a member has left before the end, since its part failed
     * @throws java.io.UncheckedIOException if the last state could not be saved
     */
    public void run(ElasticTraining training) {
        var settings =
                new Settings(
                        name,
                        saveEvery,
                        copyEvery == 0 ? saveEvery : copyEvery,
                        mirrors,
                        keepLast,
                        minMembers,
                        timeout);
        try (var program = new TrainerProgram(rpc, storage, settings, training)) {
            Elastic.on(rpc).when(this::isEnough).run(program);
        }
    }

    private boolean isEnough(GroupView view) {
        return view.members().size() >= minMembers || TrainerProgram.isOver(view, minMembers);
    }
}
