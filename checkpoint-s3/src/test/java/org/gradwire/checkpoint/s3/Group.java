package org.gradwire.checkpoint.s3;

import org.gradwire.checkpoint.Checkpoint;
import org.gradwire.checkpoint.CheckpointStorage;
import org.gradwire.checkpoint.Rows;
import org.gradwire.checkpoint.Stateful;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Tensor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The members of a group, each on a thread, and a state that is divided among them. */
final class Group {
    static final Duration LIMIT = Duration.ofSeconds(40);

    private Group() {}

    /** The part of one member. */
    interface Member<T> {
        T run(int rank, Checkpoint checkpoint) throws Exception;
    }

    static <T> List<T> run(List<Rpc> workers, CheckpointStorage storage, Member<T> member) {
        List<String> names = workers.stream().map(rpc -> rpc.self().name()).toList();
        List<CompletableFuture<T>> running = new ArrayList<>();
        for (int i = 0; i < workers.size(); i++) {
            int rank = i;
            CompletableFuture<T> result = new CompletableFuture<>();
            running.add(result);
            Thread.ofPlatform()
                    .start(() -> {
                        try (var checkpoint =
                                Checkpoint.builder(workers.get(rank), names, storage)
                                        .timeout(LIMIT)
                                        .keepLast(2)
                                        .build()) {
                            result.complete(member.run(rank, checkpoint));
                        } catch (Exception | AssertionError e) {
                            result.completeExceptionally(e);
                        }
                    });
        }
        return running.stream().map(CompletableFuture::join).toList();
    }

    /** Rows of a table of which each element is the step that it was saved at, plus its row. */
    record Table(Rows place, int columns, Map<String, Tensor> held) implements Stateful {

        static Table of(int rank, int members, int total, int columns) {
            return new Table(Rows.of(rank, members, total), columns, new HashMap<>());
        }

        Table at(long step) {
            Tensor rows =
                    Tensor.arange(place.first(), place.first() + place.count(), 1)
                            .add(step)
                            .unsqueeze(1);
            held.put("rows", rows.expand(place.count(), columns).contiguous());
            return this;
        }

        boolean isAt(long step) {
            return held.getOrDefault("rows", Tensor.zeros(0))
                    .equal(of(place).at(step).held.getOrDefault("rows", Tensor.zeros(1)));
        }

        private Table of(Rows other) {
            return new Table(other, columns, new HashMap<>());
        }

        @Override
        public Map<String, Tensor> stateDict() {
            return held;
        }

        @Override
        public void loadStateDict(Map<String, Tensor> state) {
            state.forEach((name, tensor) -> held.put(name, tensor.clone()));
        }

        @Override
        public Map<String, Rows> rows() {
            return Map.of("rows", place);
        }
    }
}
