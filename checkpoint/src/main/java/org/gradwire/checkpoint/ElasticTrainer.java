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
 * change of the members, each trainer begins anew in the new view, and loads the newest state that
 * the members have together in their memories, over RPC, or else the newest checkpoint of the
 * storage. A training whose batches follow from seeds and the number of the step ends with the bits
 * of one that was not disturbed, if it has as many trainers.
 *
 * <p>A save that fails, for example since the storage is full, is logged, and the training goes on;
 * the save of the last step has to succeed.
 *
 * <p>After the last step the first trainer {@linkplain ElasticTraining.Attempt#finish() finishes},
 * and returns. The others serve until it has left the group, and return then. A member that leaves
 * earlier, since its part has thrown an exception, ends the training on the other trainers too, if
 * too few members are there then. In a {@linkplain Rpc#isDynamic() static} group there is one view,
 * all return after the last step, and a loss ends the training.
 *
 * <p>Immutable.
 */
public final class ElasticTrainer {
    private final Rpc rpc;
    private final CheckpointStorage storage;
    private final Settings settings;

    /**
     * The values of a trainer.
     *
     * @param name of the training
     * @param saveEvery steps between two saves
     * @param copyEvery steps between two copies; 0 as between saves
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
            return step % (copyEvery == 0 ? saveEvery : copyEvery) == 0;
        }

        boolean isSaved(long step) {
            return step % saveEvery == 0;
        }

        static long requirePositive(String what, long value) {
            if (value < 1) {
                throw new IllegalArgumentException(
                        "%s must be 1 or more, but is %d".formatted(what, value));
            }
            return value;
        }
    }

    private ElasticTrainer(Rpc rpc, CheckpointStorage storage, Settings settings) {
        this.rpc = rpc;
        this.storage = storage;
        this.settings = settings;
    }

    /**
     * Return a trainer that saves each 100 steps, keeps the last two checkpoints, and continues in
     * views of at least {@link Rpc#quorum} members.
     *
     * @param storage that all trainers reach, now and after a loss
     */
    public static ElasticTrainer on(Rpc rpc, CheckpointStorage storage) {
        return new ElasticTrainer(
                rpc,
                storage,
                new Settings("training", 100, 0, 0, 2, rpc.quorum(), Duration.ofMinutes(10)));
    }

    private ElasticTrainer with(Settings changed) {
        return new ElasticTrainer(rpc, storage, changed);
    }

    /** Return a trainer of another name, for several in a group; {@code training} by default. */
    public ElasticTrainer name(String value) {
        return with(
                new Settings(
                        value,
                        settings.saveEvery(),
                        settings.copyEvery(),
                        settings.mirrors(),
                        settings.keepLast(),
                        settings.minMembers(),
                        settings.timeout()));
    }

    /** Return a trainer that saves each number of steps, and after the last one. */
    public ElasticTrainer saveEvery(long steps) {
        return with(
                new Settings(
                        settings.name(),
                        Settings.requirePositive("saveEvery", steps),
                        settings.copyEvery(),
                        settings.mirrors(),
                        settings.keepLast(),
                        settings.minMembers(),
                        settings.timeout()));
    }

    /**
     * Return a trainer that copies states into memory more often than it saves them; only when it
     * saves by default. At most these steps are repeated after a loss, if the copies of those that
     * remain are all that is needed: replicas are, and states with {@link #mirrors}.
     */
    public ElasticTrainer copyEvery(long steps) {
        return with(
                new Settings(
                        settings.name(),
                        settings.saveEvery(),
                        Settings.requirePositive("copyEvery", steps),
                        settings.mirrors(),
                        settings.keepLast(),
                        settings.minMembers(),
                        settings.timeout()));
    }

    /**
     * Return a trainer that sends each copy to a number of other members too, so that as many may
     * be lost at once without a need for the storage; 0 by default, which suffices for replicas.
     */
    public ElasticTrainer mirrors(int number) {
        return with(
                new Settings(
                        settings.name(),
                        settings.saveEvery(),
                        settings.copyEvery(),
                        requireMirrors(number),
                        settings.keepLast(),
                        settings.minMembers(),
                        settings.timeout()));
    }

    /** Return a trainer that keeps a number of checkpoints, 2 by default. */
    public ElasticTrainer keepLast(int number) {
        return with(
                new Settings(
                        settings.name(),
                        settings.saveEvery(),
                        settings.copyEvery(),
                        settings.mirrors(),
                        (int) Settings.requirePositive("keepLast", number),
                        settings.minMembers(),
                        settings.timeout()));
    }

    /** Return a trainer that continues in views of at least this number of members. */
    public ElasticTrainer minMembers(int number) {
        return with(
                new Settings(
                        settings.name(),
                        settings.saveEvery(),
                        settings.copyEvery(),
                        settings.mirrors(),
                        settings.keepLast(),
                        (int) Settings.requirePositive("minMembers", number),
                        settings.timeout()));
    }

    /** Return a trainer whose waits for other members have a limit; 10 minutes by default. */
    public ElasticTrainer timeout(Duration value) {
        return with(
                new Settings(
                        settings.name(),
                        settings.saveEvery(),
                        settings.copyEvery(),
                        settings.mirrors(),
                        settings.keepLast(),
                        settings.minMembers(),
                        value));
    }

    private static int requireMirrors(int number) {
        if (number < 0) {
            throw new IllegalArgumentException("mirrors must be 0 or more, but is " + number);
        }
        return number;
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
        try (var program = new TrainerProgram(rpc, storage, settings, training)) {
            Elastic.on(rpc).when(this::isEnough).run(program);
        }
    }

    private boolean isEnough(GroupView view) {
        return view.members().size() >= settings.minMembers()
                || TrainerProgram.isOver(view, settings.minMembers());
    }
}
