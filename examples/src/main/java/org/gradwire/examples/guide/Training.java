package org.gradwire.examples.guide;

import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.nn.Linear;
import org.gradwire.nn.remote.DistributedOptimizer;
import org.gradwire.nn.remote.RemoteModule;
import org.gradwire.optim.Optimizer;
import org.gradwire.optim.SGD;
import org.gradwire.optim.lr.LRScheduler;
import org.gradwire.optim.lr.LinearLR;
import org.gradwire.optim.lr.SequentialLR;
import org.gradwire.optim.lr.StepLR;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Page 5: modules and optimizers on other workers. */
@RemoteCallable
public final class Training {
    private static final Tensor INPUTS = Tensor.of(new float[][] {{0, 0}, {0, 1}, {1, 0}, {1, 1}});
    private static final Tensor TARGETS = Tensor.of(new float[][] {{0}, {1}, {1}, {2}});

    private Training() {}

    static void run(Rpc rpc) {
        train(rpc);
        ownGroups(rpc);
    }

    private static void train(Rpc rpc) {
        try (var hidden = RemoteModule.create(rpc, "worker1", Linear::new, 2, 8, 1L);
                var output = RemoteModule.create(rpc, "worker2", Linear::new, 8, 1, 2L)) {
            List<RRef<Tensor>> parameters = new ArrayList<>(hidden.remoteParameters());
            parameters.addAll(output.remoteParameters());
            var options = SGD.options(0.2).momentum(0.9);
            try (var optimizer = DistributedOptimizer.create(rpc, SGD::new, parameters, options)) {
                var warmUp = new LinearLR(0.25, 1, 5);
                var schedule = new SequentialLR(List.of(warmUp, new StepLR(20, 0.5)), List.of(5));
                var scheduler = new LRScheduler(optimizer, schedule);
                double loss = 0;
                for (int step = 0; step < 60; step++) {
                    try (var context = DistAutograd.context(rpc)) {
                        Tensor h = hidden.forward(Linear::forward, INPUTS).tanh();
                        Tensor difference = output.forward(Linear::forward, h).sub(TARGETS);
                        Tensor error = difference.mul(difference).mean();
                        context.backward(error);
                        optimizer.step(context);
                        loss = error.item();
                    }
                    scheduler.step();
                }
                IO.println("trained: " + (loss < 0.01) + ", rates " + scheduler.lastLrs());
                goOn(rpc, parameters, optimizer.stateDict());
            }
            parameters.forEach(RRef::close);
        }
    }

    private static void goOn(Rpc rpc, List<RRef<Tensor>> parameters, Map<String, Tensor> state) {
        try (var optimizer = DistributedOptimizer.create(rpc, SGD::new, parameters, 0.1, 0.9)) {
            optimizer.loadStateDict(state); // as SafeTensors.load gives it
            IO.println("continues with " + optimizer.learningRates());
        }
    }

    public static Optimizer<?> biasesWithoutDecay(List<Tensor> parameters, double lr) {
        List<Tensor> weights = parameters.stream().filter(p -> p.dim() > 1).toList();
        List<Tensor> biases = parameters.stream().filter(p -> p.dim() == 1).toList();
        var optimizer = new SGD(weights, SGD.options(lr).weightDecay(0.01));
        optimizer.addGroup(biases, SGD.options(lr));
        return optimizer;
    }

    private static void ownGroups(Rpc rpc) {
        try (var layer = RemoteModule.create(rpc, "worker1", Linear::new, 2, 1, 1L)) {
            List<RRef<Tensor>> parameters = layer.remoteParameters();
            try (var optimizer =
                    DistributedOptimizer.create(
                            rpc, Training::biasesWithoutDecay, parameters, 0.1)) {
                IO.println("two groups on the owner: " + optimizer.learningRates().lrs());
            }
            parameters.forEach(RRef::close);
        }
    }
}
