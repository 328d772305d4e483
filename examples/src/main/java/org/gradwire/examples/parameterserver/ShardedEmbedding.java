package org.gradwire.examples.parameterserver;

import org.gradwire.nn.remote.RemoteModule;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** An embedding table over several servers, each of which owns a range of the rows. */
final class ShardedEmbedding implements AutoCloseable {
    private final List<Shard> shards;

    /** The rows from {@code first} to {@code end}, exclusive. */
    record Shard(RemoteModule<EmbeddingShard> module, int first, int end) {
        private boolean owns(long row) {
            return first <= row && row < end;
        }
    }

    private ShardedEmbedding(List<Shard> shards) {
        this.shards = shards;
    }

    /** Create shards, on the servers in turn. */
    static ShardedEmbedding create(
            Rpc rpc, List<String> servers, int count, int rows, int dim, long seed) {
        if (count > rows) {
            throw new IllegalArgumentException(
                    "a table of %d rows cannot be spread over %d servers; start fewer workers"
                            .formatted(rows, count));
        }
        List<Shard> shards = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int first = i * rows / count;
            int end = (i + 1) * rows / count;
            var module =
                    RemoteModule.create(
                            rpc,
                            servers.get(i % servers.size()),
                            EmbeddingShard::new,
                            first,
                            end,
                            dim,
                            seed);
            shards.add(new Shard(module, first, end));
        }
        return new ShardedEmbedding(List.copyOf(shards));
    }

    List<Shard> shards() {
        return shards;
    }

    /**
     * Look rows up: call all owners in parallel, and put the results in order.
     *
     * @param rows int64, of any shape
     * @return shape (..., dim)
     */
    Tensor forward(Tensor rows) {
        long[] wanted = rows.toLongArray();
        long[] places = new long[wanted.length]; // positions of the wanted rows in the results
        List<RpcFuture<Tensor>> results = new ArrayList<>();
        int answered = 0;
        for (Shard shard : shards) {
            int[] owned =
                    IntStream.range(0, wanted.length).filter(i -> shard.owns(wanted[i])).toArray();
            if (owned.length > 0) {
                long[] local =
                        IntStream.of(owned).mapToLong(i -> wanted[i] - shard.first).toArray();
                results.add(shard.module.forwardAsync(EmbeddingShard::forward, Tensor.of(local)));
            }
            for (int i : owned) {
                places[i] = answered++;
            }
        }
        Tensor vectors = Ops.cat(results.stream().map(RpcFuture::join).toList(), 0);
        return vectors.indexSelect(0, Tensor.of(places)).unflatten(0, rows.shape());
    }

    /** {@return references to the shards' parameters, in the order of their rows} */
    List<RRef<Tensor>> remoteParameters() {
        return shards.stream().flatMap(shard -> shard.module.remoteParameters().stream()).toList();
    }

    /** {@return a copy of the whole table} */
    Tensor weight() {
        return Ops.cat(List.copyOf(weights().values()), 0);
    }

    /** {@return copies of the rows of each shard, by its number} */
    Map<String, Tensor> weights() {
        Map<String, Tensor> weights = new LinkedHashMap<>();
        for (Shard shard : shards) {
            Tensor rows = shard.module.forward(EmbeddingShard::weight);
            weights.put(Integer.toString(weights.size()), rows.detach().clone());
        }
        return weights;
    }

    /** Overwrite the rows of each shard. */
    void load(Map<String, Tensor> weights) {
        for (int i = 0; i < shards.size(); i++) {
            Tensor rows = weights.get(Integer.toString(i));
            if (rows == null) {
                throw new IllegalArgumentException(
                        "the state has shards %s, but the table has %d"
                                .formatted(weights.keySet(), shards.size()));
            }
            shards.get(i).module.forward(EmbeddingShard::load, rows);
        }
    }

    @Override
    public void close() {
        shards.forEach(shard -> shard.module.close());
    }
}
