package org.gradwire.conformance.functions;

import org.gradwire.rpc.RpcFuture;
import org.gradwire.tensor.Tensor;

/** A {@link WordInterface} on another worker: what PyTorch's tests call RemoteMyModuleInterface. */
public interface RemoteWordInterface extends WordInterface {

    /** Return a future of the arguments, the last one first. */
    RpcFuture<Words> forwardAsync(Tensor tensor, int number, String word);
}
