package org.gradwire.examples.guide;

import org.gradwire.nn.Linear;
import org.gradwire.nn.Module;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.tensor.Tensor;

/** A part of a model, on its own worker. */
@RemoteCallable
public final class Stage extends Module {
    private final Linear linear;

    public Stage(int inFeatures, int outFeatures, long seed) {
        linear = registerModule("linear", new Linear(inFeatures, outFeatures, seed));
    }

    /** The input is where the stage before has left it. */
    public Tensor forward(RRef<Tensor> input) {
        return compute(input.toHere());
    }

    Tensor compute(Tensor input) {
        return linear.forward(input).tanh();
    }
}
