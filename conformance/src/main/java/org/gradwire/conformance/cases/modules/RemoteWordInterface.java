package org.gradwire.conformance.cases.modules;

import org.gradwire.rpc.RpcFuture;
import org.gradwire.tensor.Tensor;

/** A remote {@link WordInterface}: RemoteMyModuleInterface in PyTorch's tests. */
public interface RemoteWordInterface extends WordInterface {

    /** Return a future of the arguments in reverse order. */
    RpcFuture<Words> forwardAsync(Tensor tensor, int number, String word);
}
