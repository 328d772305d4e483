package org.gradwire.examples.train;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.examples.train.Corpus.Batch;
import org.gradwire.nn.EmbeddingBag;
import org.gradwire.nn.Module;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.List;

/**
 * Compares the gradients of a distributed step on the servers with those of the same step in one
 * process.
 */
public final class GradientCheck {
    private static final double LIMIT = 1e-5;

    private GradientCheck() {}

    /**
     * Return the gradients of a module's parameters in a context, in the order of the parameters.
     */
    @RemoteCallable
    public static List<Tensor> gradients(RRef<? extends Module> module, long contextId) {
        var gradients = DistAutograd.gradients(Rpc.current(), contextId);
        List<Tensor> found = new ArrayList<>();
        for (Tensor parameter : module.localValue().parameters()) {
            Tensor gradient = gradients.get(parameter);
            if (gradient == null) {
                throw new IllegalStateException("a parameter got no gradient");
            }
            found.add(gradient);
        }
        return found;
    }

    static void print(
            Rpc rpc,
            LanguageModel model,
            Corpus corpus,
            Shape shape,
            long seed,
            AutogradContext context,
            Batch batch) {
        List<Tensor> distributed = new ArrayList<>();
        for (RRef<? extends Module> part : List.of(model.embeddingRRef(), model.headRRef())) {
            distributed.addAll(
                    rpc.<RRef<? extends Module>, Long, List<Tensor>>rpcSync(
                            part.owner().name(), GradientCheck::gradients, part, context.id()));
        }
        double difference = maxDifference(distributed, local(corpus, shape, seed, batch));
        System.out.printf(
                "gradients of the first step, distributed against one process: max abs difference %.2e, largest gradient %.4f (%s)%n",
                difference,
                largest(distributed),
                difference < LIMIT ? "equal" : "DIFFERENT, the limit is " + LIMIT);
    }

    /** Compute the same gradients in one process; equal seeds make equal parameters. */
    private static List<Tensor> local(Corpus corpus, Shape shape, long seed, Batch batch) {
        var embedding = new EmbeddingBag(shape.rows(corpus), shape.embedding(), "sum", seed);
        var head =
                new Head(shape.embedding(), shape.hidden(), corpus.vocabulary().length, seed + 1);
        head.forward(embedding.forward(batch.indices(), batch.offsets()).tanh())
                .crossEntropy(batch.targets())
                .backward();
        List<Tensor> parameters = new ArrayList<>(embedding.parameters());
        parameters.addAll(head.parameters());
        return parameters.stream().map(GradientCheck::gradientOf).toList();
    }

    private static Tensor gradientOf(Tensor parameter) {
        Tensor gradient = parameter.grad();
        if (gradient == null) {
            throw new IllegalStateException("a parameter got no gradient");
        }
        return gradient;
    }

    private static double largest(List<Tensor> gradients) {
        double max = 0;
        for (Tensor gradient : gradients) {
            for (float element : gradient.toFloatArray()) {
                max = Math.max(max, Math.abs(element));
            }
        }
        return max;
    }

    private static double maxDifference(List<Tensor> some, List<Tensor> others) {
        if (some.size() != others.size()) {
            throw new IllegalStateException(
                    "%d gradients against %d".formatted(some.size(), others.size()));
        }
        double max = 0;
        for (int i = 0; i < some.size(); i++) {
            float[] a = some.get(i).toFloatArray();
            float[] b = others.get(i).toFloatArray();
            for (int k = 0; k < a.length; k++) {
                max = Math.max(max, Math.abs(a[k] - b[k]));
            }
        }
        return max;
    }
}
