package org.gradwire.checkpoint;

import org.gradwire.collective.ProcessGroup;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcPromise;
import org.gradwire.spi.Worker;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Saves and loads the states of all members of a group. After PyTorch's {@code
 * torch.distributed.checkpoint}.
 *
 * {@snippet :
 * try (var checkpoint = Checkpoint.of(rpc, members, Path.of("checkpoints"))) {
 *     var state = Map.of("model", Stateful.of(model), "optimizer", Stateful.of(optimizer));
 *     long step = checkpoint.loadLatest(state).orElse(0);
 *     while (++step <= last) {
 *         train(model, optimizer);
 *         var _ = checkpoint.saveAsync(step, state);
 *     }
 * }
 * }
 *
 * <p>All members call the same methods in the same order, and save at the same step. They copy
 * their states between two barriers: no member is in a step meanwhile. So the states belong
 * together, if each member waits for the calls of a step before it saves.
 *
 * <p><b>What is saved.</b> The states of all members by name. Tensors that several members have
 * under one name must be equal, such as those of replicas, and one of these members writes them.
 * States that differ get different names, such as {@code random-1}. Each member writes one file of
 * the safetensors format; the first writes a manifest, and publishes all at once. No save that
 * fails, on any member, leaves a checkpoint.
 *
 * <p><b>Threads.</b> An instance belongs to one thread at a time. It makes its own process group.
 */
public final class Checkpoint implements AutoCloseable {
    private final Rpc rpc;
    private final ProcessGroup group;
    private final CheckpointStorage storage;
    private final Retention retention;
    private final String program;

    /** The result of the save that runs, kept when it has ended. */
    private @Nullable RpcFuture<CompletableFuture<Manifest>> running;

    private StagedState staging = StagedState.empty();

    private Checkpoint(Builder builder) {
        this.rpc = builder.rpc;
        this.group = ProcessGroup.of(builder.rpc, builder.name, builder.members, builder.timeout);
        this.storage = builder.storage;
        this.retention = new Retention(builder.keepLast, builder.keepEvery);
        this.program = builder.program;
    }

    /**
     * Open a directory of checkpoints with the defaults of the {@link Builder}.
     *
     * @param members names of the workers, as for {@link ProcessGroup#of(Rpc, String, List)}
     * @param directory that all members reach; it is created by the first save
     */
    public static Checkpoint of(Rpc rpc, List<String> members, Path directory) {
        return builder(rpc, members, CheckpointStorage.directory(directory)).build();
    }

    /** Start a builder. */
    public static Builder builder(Rpc rpc, List<String> members, CheckpointStorage storage) {
        return new Builder(rpc, members, storage);
    }

    /** Builds a {@link Checkpoint}; all members set the same values. */
    public static final class Builder {
        private final Rpc rpc;
        private final List<String> members;
        private final CheckpointStorage storage;
        private String name = "checkpoint";
        private Duration timeout = Duration.ofMinutes(10);
        private int keepLast = Integer.MAX_VALUE;
        private long keepEvery;
        private String program = "";

        private Builder(Rpc rpc, List<String> members, CheckpointStorage storage) {
            this.rpc = rpc;
            this.members = List.copyOf(members);
            this.storage = storage;
        }

        /** Set the name of the process group; {@code checkpoint} by default. */
        public Builder name(String value) {
            name = value;
            return this;
        }

        /** Set the limit of each wait for other members to write; 10 minutes by default. */
        public Builder timeout(Duration value) {
            timeout = value;
            return this;
        }

        /** Keep the newest checkpoints only, this number of them; all by default. */
        public Builder keepLast(int number) {
            keepLast = Math.toIntExact(requirePositive("keepLast", number));
            return this;
        }

        /** Keep the checkpoints at multiples of a step too; without {@link #keepLast}, all stay. */
        public Builder keepEvery(long steps) {
            keepEvery = requirePositive("keepEvery", steps);
            return this;
        }

        private static long requirePositive(String what, long value) {
            if (value < 1) {
                throw new IllegalArgumentException(
                        "%s must be 1 or more, but is %d".formatted(what, value));
            }
            return value;
        }

        /** Set the version of the program, which the manifest names; empty by default. */
        public Builder programVersion(String version) {
            program = version;
            return this;
        }

        /** {@return the instance; nothing is sent} */
        public Checkpoint build() {
            return new Checkpoint(this);
        }
    }

    /**
     * Save states, and wait for the end.
     *
     * @param step from 0; a checkpoint of this step that exists is replaced
     * @param states by name: letters, digits, dots, hyphens and underscores
     * @return the table of contents
     * @throws CheckpointException on all members, if one of them fails, or equal names have
     *     different values; nothing was published
     * @throws org.gradwire.rpc.RpcException if a member is lost, perhaps after the publication;
     *     close this instance then
     */
    public Manifest save(long step, Map<String, ? extends Stateful> states) throws IOException {
        var _ = saveAsync(step, states);
        return await().orElseThrow();
    }

    /**
     * Copy the states, and save the copies on another thread. The program may change the states
     * when this returns. If an earlier save runs, this waits for its end first. The memory of the
     * copies is kept for the next save.
     *
     * @return ends with the table of contents, or as {@link #save} fails
     * @throws IOException if the earlier save has failed; nothing was begun
     * @throws org.gradwire.rpc.RpcException if a member is lost before all have copied
     */
    public CompletableFuture<Manifest> saveAsync(long step, Map<String, ? extends Stateful> states)
            throws IOException {
        if (step < 0) {
            throw new IllegalArgumentException("the step must be 0 or more, but is " + step);
        }
        var _ = await();
        Cut cut = Cut.of(group, states, staging);
        staging = cut.orElse(staging);
        return saveAsync(step, cut);
    }

    /** Save a copy of the states that was made before; no save runs. */
    CompletableFuture<Manifest> saveAsync(long step, Cut staged) {
        var save = new GroupSave(group, storage, retention, program, step, staged);
        CompletableFuture<Manifest> result = new CompletableFuture<>();
        RpcPromise<CompletableFuture<Manifest>> end = rpc.promise();
        running = end;
        Worker.of(rpc)
                .executor() // simulated, if the group is
                .execute(() -> {
                    run(save, result);
                    end.tryComplete(result);
                });
        return result.copy();
    }

    private static void run(GroupSave save, CompletableFuture<Manifest> result) {
        try {
            result.complete(save.run());
        } catch (IOException | RuntimeException | Error e) {
            result.completeExceptionally(e);
        }
    }

    /**
     * Wait for the save that runs. Each phase of it has a limit, see {@link Builder#timeout}.
     *
     * @return its table of contents; empty if none runs
     * @throws IOException if it has failed
     */
    public Optional<Manifest> await() throws IOException {
        RpcFuture<CompletableFuture<Manifest>> save = running;
        running = null;
        if (save == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(save.join().join());
        } catch (CompletionException e) {
            switch (e.getCause()) {
                case CheckpointException failure ->
                        throw new CheckpointException(
                                String.valueOf(failure.getMessage()), failure);
                case IOException failure -> throw failure;
                case RuntimeException failure -> throw failure;
                case null, default -> throw e;
            }
        }
    }

    /**
     * Load the newest complete checkpoint into the states of all members, which may be others than
     * those that saved it. Nothing is changed on any member if one state does not match.
     *
     * @return its step; empty if there is none
     * @throws CheckpointException on all members, if the states of one do not match
     */
    public OptionalLong loadLatest(Map<String, ? extends Stateful> states) throws IOException {
        var _ = await();
        return new GroupLoad(group, storage, states).run();
    }

    /**
     * The newest checkpoint that is complete and undamaged.
     *
     * @param checkpoint empty if there is none
     * @param damaged what is wrong with newer ones, one text each, which names the first thing
     */
    public record Latest(Optional<SavedCheckpoint> checkpoint, List<String> damaged) {

        /** Copy the list. */
        public Latest {
            damaged = List.copyOf(damaged);
        }
    }

    /** Find the newest checkpoint that is complete and undamaged; its contents are verified. */
    public static Latest latest(CheckpointStorage storage) throws IOException {
        List<String> damaged = new ArrayList<>();
        for (long step : steps(storage).reversed()) {
            try {
                SavedCheckpoint saved = SavedCheckpoint.open(storage, step);
                saved.verify();
                return new Latest(Optional.of(saved), damaged);
            } catch (IOException e) {
                damaged.add(String.valueOf(e.getMessage()));
            }
        }
        return new Latest(Optional.empty(), damaged);
    }

    /** {@return the steps of all published checkpoints, complete or not, in ascending order} */
    public static List<Long> steps(CheckpointStorage storage) throws IOException {
        return storage.published().stream()
                .filter(StepNames::isName)
                .map(StepNames::step)
                .sorted()
                .toList();
    }

    /** Break the group: the save that runs fails on all members, if it has not ended. */
    void abort(String reason) {
        group.abort(reason);
    }

    /**
     * Wait for the save that runs, and leave the group.
     *
     * @throws IOException if the save has failed
     */
    @Override
    public void close() throws IOException {
        try (group) {
            var _ = await();
        }
    }
}
