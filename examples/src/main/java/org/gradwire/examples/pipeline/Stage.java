package org.gradwire.examples.pipeline;

import static org.gradwire.rpc.RpcFunction.async;

import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.nn.Module;
import org.gradwire.nn.Sequential;
import org.gradwire.rpc.AsyncExecution;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcPromise;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A stage of the model on one worker, with a reference to the next stage. */
@RemoteCallable
public final class Stage extends Module {
    private final Sequential layers;
    private final @Nullable RRef<Stage> next;

    public Stage(Model model, int number, long seed, @Nullable RRef<Stage> next) {
        layers = registerModule("layers", model.layers(number, seed));
        this.next = next;
    }

    /**
     * Compute the output of the model. No thread of this worker waits for the later stages, so it
     * can start another micro-batch while they compute.
     */
    @AsyncExecution
    public RpcFuture<Tensor> forward(Tensor input) {
        Tensor output = layers.forward(input);
        if (next != null) {
            return next.rpcAsync(async(Stage::forward), output);
        }
        RpcPromise<Tensor> done = Rpc.current().promise();
        done.complete(output);
        return done;
    }

    /** Return the gradients of the parameters in a context, in their order. */
    public List<Tensor> gradients(long contextId) {
        Map<Tensor, Tensor> gradients = DistAutograd.gradients(Rpc.current(), contextId);
        return parameters().stream()
                .map(parameter ->
                        Objects.requireNonNull(
                                gradients.get(parameter), "the parameter has no gradient"))
                .toList();
    }
}
