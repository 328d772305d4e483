package org.gradwire.examples.guide;

import org.gradwire.collective.ProcessGroup;
import org.gradwire.collective.ReduceOp;
import org.gradwire.nn.Linear;
import org.gradwire.nn.Sequential;
import org.gradwire.nn.parallel.DistributedDataParallel;
import org.gradwire.nn.parallel.ZeroOptimizer;
import org.gradwire.optim.Adam;
import org.gradwire.rpc.Call;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.WorkerGroup;
import org.gradwire.tensor.Tensor;

import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;

/** Page 10: collective operations, and replicas that average gradients. */
public final class DataParallel {
    private static final int STEPS = 100;

    private DataParallel() {}

    static void run(Rpc rpc) {
        WorkerGroup all = rpc.workers("worker*");
        List<Double> sums = all.callAll(Call.to(DataParallel::sum, all.names())).values();
        IO.println("each knows the sum: " + sums);
        List<Double> losses = all.callAll(Call.to(DataParallel::train, all.names())).values();
        IO.println(
                "replicas: "
                        + new HashSet<>(losses).size()
                        + " loss, small: "
                        + (losses.getFirst() < 0.01));
    }

    @RemoteCallable
    public static double sum(List<String> names) {
        try (var group = ProcessGroup.of(Rpc.current(), "sums", names)) {
            Tensor own = Tensor.of(group.rank() + 1f);
            return group.allReduce(own, ReduceOp.SUM).item();
        }
    }

    @RemoteCallable
    public static double train(List<String> names) {
        try (var group = ProcessGroup.of(Rpc.current(), "trainers", names)) {
            var model = new Sequential(new Linear(4, 8, 1L), new Linear(8, 1, 2L));
            var optimizer =
                    ZeroOptimizer.of(group, model.parameters(), share -> new Adam(share, 0.05));
            var parallel = DistributedDataParallel.of(group, model);
            Tensor loss = Tensor.zeros();
            for (int step = 0; step < STEPS; step++) {
                Tensor batch = Tensor.randn(new SplittableRandom(100L * step + group.rank()), 8, 4);
                Tensor target = batch.sum(1).unsqueeze(1);
                optimizer.zeroGrad();
                loss = parallel.forward(m -> m.forward(batch)).sub(target).pow(2).mean();
                loss.backward();
                optimizer.step();
            }
            return group.allReduce(loss.detach(), ReduceOp.MEAN).item();
        }
    }
}
