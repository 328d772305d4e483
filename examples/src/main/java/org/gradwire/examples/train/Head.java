package org.gradwire.examples.train;

import org.gradwire.nn.Layer;
import org.gradwire.nn.Linear;
import org.gradwire.nn.Module;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.tensor.Tensor;

/** The output layers of the model: from the sum of embeddings to a score for each character. */
@RemoteCallable
public final class Head extends Module implements Layer {
    private final Linear hidden;
    private final Linear output;

    public Head(int inFeatures, int hiddenFeatures, int vocabulary, long seed) {
        hidden = registerModule("hidden", new Linear(inFeatures, hiddenFeatures, seed));
        output = registerModule("output", new Linear(hiddenFeatures, vocabulary, seed + 1));
    }

    @Override
    public Tensor forward(Tensor input) {
        return output.forward(hidden.forward(input).relu());
    }
}
