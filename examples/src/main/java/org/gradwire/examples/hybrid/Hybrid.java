package org.gradwire.examples.hybrid;

import org.gradwire.collective.ProcessGroup;
import org.gradwire.examples.checks.SparseGradient;
import org.gradwire.examples.checks.Training;
import org.gradwire.nn.EmbeddingBag;
import org.gradwire.nn.Linear;
import org.gradwire.nn.Sequential;
import org.gradwire.nn.activation.ReLU;
import org.gradwire.nn.remote.RemoteModule;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.rpc.WorkerInfo;

import java.util.List;

/**
 * {@code ./gradwire run hybrid}: the last worker is the server of the embedding, all others train.
 * Then the first trainer runs the same training alone, and compares.
 */
public final class Hybrid {
    static final int STEPS = 200;
    static final double DENSE_RATE = 0.5;
    static final double EMBEDDING_RATE =
            20; // each row gets only a small part of a batch's gradient
    static final int PART = 32;
    static final long SEED = 1;
    private static final int DIM = 16;
    private static final int HIDDEN = 32;

    private Hybrid() {}

    public static void main(String[] args) {
        boolean equal;
        try (Rpc rpc = Rpc.init(RpcOptions.fromEnvironment())) {
            equal = run(rpc);
        }
        if (!equal) {
            System.exit(1);
        }
    }

    /** {@return whether this worker's comparisons were equal} */
    static boolean run(Rpc rpc) {
        List<String> names = rpc.workers().stream().map(WorkerInfo::name).toList();
        if (names.size() < 3) {
            throw new IllegalArgumentException(
                    "there must be at least 2 trainers and a server, which makes 3 workers, but there are %d; use --workers"
                            .formatted(names.size()));
        }
        List<String> trainers = names.subList(0, names.size() - 1);
        if (!trainers.contains(rpc.self().name())) {
            return true; // the server serves until the group's shutdown
        }
        return train(rpc, trainers, names.getLast());
    }

    private static boolean train(Rpc rpc, List<String> trainers, String server) {
        try (var embedding = RemoteModule.create(rpc, server, Hybrid::embedding);
                var group = ProcessGroup.of(rpc, "trainers", trainers)) {
            var trainer = new Trainer(rpc, group, embedding);
            Sequential dense = newDenseLayers();
            Training training = trainer.train(dense);
            boolean replicasAreEqual = trainer.replicasAreEqual(dense);
            if (!trainer.isFirst()) {
                return true;
            }
            System.out.printf(
                    "Look at the dense layers of the %d trainers at the end: %s%n",
                    trainers.size(), replicasAreEqual ? "the same to the bit" : "DIFFERENT");
            return training.printAgainst(OneProcess.train(trainers.size())) && replicasAreEqual;
        }
    }

    /** Return the embedding of this worker, always the same. */
    @RemoteCallable
    public static EmbeddingBag embedding() {
        return Rpc.current().locals().get(EmbeddingBag.class, Hybrid::newEmbedding);
    }

    /** Return the number of rows in the embedding's gradient in a context. */
    @RemoteCallable
    public static int gradientRows(long contextId) {
        return SparseGradient.rows(embedding().weight(), contextId);
    }

    static EmbeddingBag newEmbedding() {
        return EmbeddingBag.builder(Samples.ITEMS, DIM).mode("mean").sparse(true).build(SEED);
    }

    /** {@return the layers of a trainer, with the same initial parameters on each} */
    static Sequential newDenseLayers() {
        return new Sequential(
                new Linear(DIM, HIDDEN, SEED + 1),
                new ReLU(),
                new Linear(HIDDEN, Samples.CLASSES, SEED + 2));
    }
}
