package org.gradwire.autograd.distributed;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.Worker;
import org.gradwire.tensor.Tensor;

import java.util.Map;

/**
 * The entry point of distributed autograd: opens contexts, and finds those that are open on a
 * worker.
 *
 * {@snippet :
 * try (var context = DistAutograd.context(rpc)) {
 *     Tensor loss = rpc.rpcSync("worker1", Model::forward, x).sum();
 *     context.backward(loss);
 *     Tensor gradient = context.gradients().get(weight);
 * }
 * }
 */
public final class DistAutograd {

    private DistAutograd() {}

    /**
     * Open a context for the calling thread. Until it is closed, the thread's calls are recorded in
     * it.
     *
     * @throws RpcException if the thread is already in a context
     */
    public static AutogradContext context(Rpc rpc) {
        AutogradExtension autograd = extension(rpc);
        return new AutogradContext(autograd, autograd.contexts().open());
    }

    /**
     * Return the context in which the calling thread is.
     *
     * @throws RpcException if it is in none
     */
    public static AutogradContext current(Rpc rpc) {
        AutogradExtension autograd = extension(rpc);
        return new AutogradContext(autograd, autograd.contexts().current());
    }

    /**
     * Return a context by its id, as this worker sees it; any worker may have opened it. Ids can be
     * guessed: a thread that runs a function for a caller finds only the context in which it is,
     * that of the call or one that it opened itself.
     *
     * @throws RpcException if this worker does not know it
     */
    public static AutogradContext lookup(Rpc rpc, long id) {
        AutogradExtension autograd = extension(rpc);
        return new AutogradContext(autograd, autograd.contexts().lookup(id));
    }

    /** Return the gradients of a context given by its id; see {@link AutogradContext#gradients}. */
    public static Map<Tensor, Tensor> gradients(Rpc rpc, long contextId) {
        return lookup(rpc, contextId).gradients();
    }

    /** {@return whether a worker has a device map for the tensors that it sends to another one} */
    public static boolean mapsDevices(Rpc rpc, String to) {
        return extension(rpc).mapsDevices(to);
    }

    static ContextContainer contexts(Rpc rpc) {
        return extension(rpc).contexts();
    }

    private static AutogradExtension extension(Rpc rpc) {
        return Worker.of(rpc).extension(AutogradExtension.class);
    }
}
