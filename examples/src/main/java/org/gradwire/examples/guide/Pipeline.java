package org.gradwire.examples.guide;

import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.nn.remote.DistributedOptimizer;
import org.gradwire.nn.remote.RemoteModule;
import org.gradwire.optim.Adam;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Page 6: a model in two stages on two workers, pipelined with micro-batches. */
final class Pipeline implements AutoCloseable {
    private static final int MICRO_BATCHES = 4;
    private static final int STEPS = 5;

    private final Rpc rpc;
    private final RemoteModule<Stage> first;
    private final RemoteModule<Stage> second;

    private Pipeline(Rpc rpc) {
        this.rpc = rpc;
        this.first = RemoteModule.create(rpc, "worker1", Stage::new, 6, 16, 1L);
        this.second = RemoteModule.create(rpc, "worker2", Stage::new, 16, 2, 2L);
    }

    static void run(Rpc rpc) {
        Tensor batch = Tensor.randn(new SplittableRandom(7), 32, 6);
        double local = trainHere(batch);
        try (var pipeline = new Pipeline(rpc)) {
            double distributed = pipeline.train(batch);
            IO.println(
                    "the same loss as in one process: " + (Math.abs(local - distributed) < 1e-6));
        }
    }

    private Tensor forward(Tensor batch) {
        List<RpcFuture<Tensor>> outputs = new ArrayList<>();
        for (Tensor part : batch.chunk(MICRO_BATCHES, 0)) {
            RRef<Tensor> input = rpc.rref(part);
            RRef<Tensor> hidden = first.moduleRRef().remote(Stage::forward, input);
            RpcFuture<Tensor> output = second.moduleRRef().rpcAsync(Stage::forward, hidden);
            outputs.add(output.whenDone(input::close).whenDone(hidden::close));
        }
        return Ops.cat(rpc.collectAll(outputs).join(), 0);
    }

    private double train(Tensor batch) {
        List<RRef<Tensor>> parameters = new ArrayList<>(first.remoteParameters());
        parameters.addAll(second.remoteParameters());
        double last = 0;
        try (var optimizer = DistributedOptimizer.create(rpc, Adam::new, parameters, 0.01)) {
            for (int step = 0; step < STEPS; step++) {
                try (var context = DistAutograd.context(rpc)) {
                    Tensor loss = loss(forward(batch));
                    context.backward(loss);
                    optimizer.step(context);
                    last = loss.item();
                }
            }
        }
        parameters.forEach(RRef::close);
        return last;
    }

    private static Tensor loss(Tensor output) {
        Tensor difference = output.sub(0.5);
        return difference.mul(difference).mean();
    }

    private static double trainHere(Tensor batch) {
        var first = new Stage(6, 16, 1L);
        var second = new Stage(16, 2, 2L);
        List<Tensor> parameters = new ArrayList<>(first.parameters());
        parameters.addAll(second.parameters());
        var optimizer = new Adam(parameters, 0.01);
        double last = 0;
        for (int step = 0; step < STEPS; step++) {
            optimizer.zeroGrad();
            Tensor loss = loss(second.compute(first.compute(batch)));
            loss.backward();
            optimizer.step();
            last = loss.item();
        }
        return last;
    }

    @Override
    public void close() {
        first.close();
        second.close();
    }
}
