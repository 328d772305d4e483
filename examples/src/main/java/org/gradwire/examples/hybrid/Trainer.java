package org.gradwire.examples.hybrid;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.collective.ProcessGroup;
import org.gradwire.collective.ReduceOp;
import org.gradwire.examples.checks.Training;
import org.gradwire.examples.hybrid.Samples.Batch;
import org.gradwire.nn.EmbeddingBag;
import org.gradwire.nn.Sequential;
import org.gradwire.nn.parallel.DistributedDataParallel;
import org.gradwire.nn.remote.DistributedOptimizer;
import org.gradwire.nn.remote.RemoteModule;
import org.gradwire.optim.SGD;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** A trainer, which computes its part of each batch. */
final class Trainer {
    private final Rpc rpc;
    private final ProcessGroup trainers;
    private final RemoteModule<EmbeddingBag> embedding;

    Trainer(Rpc rpc, ProcessGroup trainers, RemoteModule<EmbeddingBag> embedding) {
        this.rpc = rpc;
        this.trainers = trainers;
        this.embedding = embedding;
    }

    Training train(Sequential dense) {
        RandomGenerator random =
                new SplittableRandom(Hybrid.SEED); // all trainers draw the same batches
        List<Double> losses = new ArrayList<>();
        var local = new SGD(dense.parameters(), Hybrid.DENSE_RATE);
        try (var parallel = DistributedDataParallel.of(trainers, dense);
                var remote = embeddingOptimizer()) {
            for (int step = 0; step < Hybrid.STEPS; step++) {
                Batch whole = Samples.batch(random, Hybrid.PART * trainers.size());
                Batch batch = whole.part(trainers.rank(), trainers.size());
                try (var context = DistAutograd.context(rpc)) {
                    Tensor bags = embedding.forward(EmbeddingBag::forward, batch.items());
                    Tensor loss =
                            parallel.forward(m -> m.forward(bags)).crossEntropy(batch.labels());
                    context.backward(loss);
                    local.step(context.gradients());
                    remote.step(context);
                    losses.add(trainers.allReduce(loss.detach(), ReduceOp.MEAN).item());
                    if (step == 0) {
                        report(dense, context);
                    }
                }
                trainers.barrier(); // no look-ups before all trainers have changed the embedding
            }
        }
        return OneProcess.result(losses, dense, embedding.forward(EmbeddingBag::weight));
    }

    boolean isFirst() {
        return trainers.rank() == 0;
    }

    /** Scale each trainer's step by its share of the batch, so that their sum is the mean's. */
    private DistributedOptimizer embeddingOptimizer() {
        List<RRef<Tensor>> parameters = embedding.remoteParameters();
        double share = Hybrid.EMBEDDING_RATE / trainers.size();
        var optimizer = DistributedOptimizer.create(rpc, SGD::new, parameters, share);
        parameters.forEach(RRef::close); // the optimizer on the server holds the parameters itself
        return optimizer;
    }

    private void report(Sequential dense, AutogradContext context) {
        if (isFirst()) {
            System.out.printf(
                    "%d trainers average %d numbers in each step, the gradients of the dense layers%n",
                    trainers.size(), dense.parameters().stream().mapToInt(Tensor::numel).sum());
            System.out.printf(
                    "%s keeps the embedding: the gradient of this trainer's first step holds %d of its %d rows%n",
                    embedding.on(),
                    rpc.rpcSync(embedding.on(), Hybrid::gradientRows, context.id()),
                    Samples.ITEMS);
        }
    }

    /** {@return whether the dense layers of all trainers are bitwise equal} */
    boolean replicasAreEqual(Sequential dense) {
        List<Tensor> parameters = dense.parameters().stream().map(Tensor::flatten).toList();
        Tensor own = Ops.cat(parameters, 0).detach();
        return trainers.allGather(own).stream().allMatch(own::equal);
    }
}
