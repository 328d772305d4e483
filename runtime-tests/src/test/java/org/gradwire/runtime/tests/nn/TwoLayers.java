package org.gradwire.runtime.tests.nn;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.nn.remote.DistributedOptimizer;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.runtime.tests.functions.Parameters;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.List;

/** A model of two layers, each on a worker: two matrices and two vectors. */
final class TwoLayers implements AutoCloseable {
    static final Tensor INPUT = Tensor.of(new float[][] {{1, -2, 3}, {0, 1, 1}});
    private static final int[][] SHAPES = {{3, 4}, {4}, {4, 2}, {2}};

    private final Rpc rpc;
    private final List<RRef<Tensor>> parameters = new ArrayList<>();

    private TwoLayers(Rpc rpc) {
        this.rpc = rpc;
    }

    static TwoLayers on(Rpc rpc, String first, String second) {
        return on(rpc, first, second, initial());
    }

    static TwoLayers on(Rpc rpc, String first, String second, List<Tensor> values) {
        var layers = new TwoLayers(rpc);
        for (int i = 0; i < values.size(); i++) {
            String owner = i < 2 ? first : second;
            layers.parameters.add(rpc.remote(owner, Parameters::of, values.get(i)));
        }
        return layers;
    }

    /** {@return the initial numbers, always the same} */
    static List<Tensor> initial() {
        List<Tensor> values = new ArrayList<>();
        for (int i = 0; i < SHAPES.length; i++) {
            values.add(Parameters.make(i, SHAPES[i]));
        }
        return values;
    }

    /** {@return the loss of a local model} */
    static Tensor loss(List<Tensor> p) {
        Tensor hidden = INPUT.matmul(p.get(0)).add(p.get(1)).tanh();
        Tensor output = hidden.matmul(p.get(2)).add(p.get(3)).tanh();
        return output.mul(output).sum();
    }

    List<RRef<Tensor>> parameters() {
        return parameters;
    }

    private Tensor layer(int index, Tensor input) {
        RRef<Tensor> weight = parameters.get(2 * index);
        RRef<Tensor> bias = parameters.get(2 * index + 1);
        return rpc.rpcSync(weight.owner().name(), Parameters::layer, weight, bias, input);
    }

    /** Run a backward pass. */
    void backward(AutogradContext context) {
        Tensor output = layer(1, layer(0, INPUT));
        context.backward(output.mul(output).sum());
    }

    /** Run a backward pass and a step. */
    void train(DistributedOptimizer optimizer) {
        try (var context = DistAutograd.context(rpc)) {
            backward(context);
            optimizer.step(context);
        }
    }

    /** {@return the present numbers of all parameters} */
    List<Tensor> values() {
        return parameters.stream()
                .map(p -> rpc.rpcSync(p.owner().name(), Parameters::values, p))
                .toList();
    }

    @Override
    public void close() {
        parameters.forEach(RRef::close);
    }
}
