package org.gradwire.examples.pipeline;

import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.examples.Arguments;
import org.gradwire.examples.pipeline.SingleProcess.Step;
import org.gradwire.nn.remote.DistributedOptimizer;
import org.gradwire.optim.SGD;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.tensor.Tensor;

import java.util.List;
import java.util.stream.IntStream;

/**
 * {@code ./gradwire run pipeline}: the first worker trains a model whose stages are on the other
 * three, with 1, 2 and 4 micro-batches in flight, and compares each run with a single process.
 */
public final class Pipeline {
    static final SGD.Options LEARNING = SGD.options(0.05).momentum(0.9);

    private static final List<Integer> MICRO_BATCHES = List.of(1, 2, 4);

    private final Rpc rpc;
    private final Options options;
    private final List<Pictures> batches;
    private final List<Step> expected;

    private Pipeline(Rpc rpc, Options options) {
        this.rpc = rpc;
        this.options = options;
        this.batches =
                IntStream.range(0, options.steps())
                        .mapToObj(step -> Pictures.of(options.batch(), options.seed() + step))
                        .toList();
        this.expected = new SingleProcess(options).train(batches);
    }

    public static void main(String[] args) {
        Options options = Arguments.parse(new Options(), args);
        boolean equal;
        try (Rpc rpc = Rpc.init(RpcOptions.fromEnvironment())) {
            equal = run(rpc, options);
        }
        if (!equal) {
            System.exit(1);
        }
    }

    /**
     * Run this worker's role. A worker with a stage only serves, until the group's shutdown.
     *
     * @return whether all runs agree with a single process
     */
    static boolean run(Rpc rpc, Options options) {
        int needed = 1 + Model.STAGES;
        if (rpc.workers().size() != needed) {
            throw new IllegalArgumentException(
                    "a pipeline needs %d workers, a trainer and %d stages, but there are %d; use --workers %d"
                            .formatted(needed, Model.STAGES, rpc.workers().size(), needed));
        }
        return rpc.self().id() != 0 || new Pipeline(rpc, options).compare();
    }

    private boolean compare() {
        System.out.printf(
                "%s in %d stages, %d steps of %d pictures, %d cores%n",
                options.model(),
                Model.STAGES,
                batches.size(),
                options.batch(),
                Runtime.getRuntime().availableProcessors());
        var _ = train(1); // warms up
        boolean equal = true;
        for (int microBatches : MICRO_BATCHES) {
            Comparison comparison = train(microBatches);
            System.out.printf("micro-batches: %d; %s%n", microBatches, comparison);
            equal &= comparison.equal();
        }
        System.out.printf(
                "one process: loss %.4f, then %.4f%n",
                expected.getFirst().loss(), expected.getLast().loss());
        System.out.println(
                """
                Look at the differences, which are those of rounding, and at the steps per second: while stages have cores to
                themselves, more micro-batches keep more of them busy; each costs additional messages.\
                """);
        return equal;
    }

    private DistributedOptimizer optimizer(StagedModel model) {
        List<RRef<Tensor>> parameters = model.parameters();
        var optimizer = DistributedOptimizer.create(rpc, SGD::new, parameters, LEARNING);
        parameters.forEach(
                RRef::close); // the optimizers on the stages' workers hold the parameters
        return optimizer;
    }

    private Comparison train(int microBatches) {
        var comparison = new Comparison();
        try (var model = new StagedModel(rpc, options.model(), options.seed());
                var optimizer = optimizer(model)) {
            for (int step = 0; step < batches.size(); step++) {
                Pictures batch = batches.get(step);
                comparison.stepBegins();
                try (var context = DistAutograd.context(rpc)) {
                    Tensor scores = model.forward(batch.pixels(), microBatches);
                    Tensor loss = scores.crossEntropy(batch.classes());
                    context.backward(loss);
                    optimizer.step(context);
                    comparison.stepEnds();
                    comparison.check(loss.item(), model.gradients(context), expected.get(step));
                }
            }
        }
        return comparison;
    }
}
