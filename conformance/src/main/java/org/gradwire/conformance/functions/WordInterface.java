package org.gradwire.conformance.functions;

import org.gradwire.rpc.Default;
import org.gradwire.rpc.ModuleInterface;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.tensor.Tensor;

/** What others use of a {@link WordModule}: what PyTorch's tests call MyModuleInterface. */
@ModuleInterface
@RemoteCallable
public interface WordInterface {

    /** Return the arguments, the last one first. */
    Words forward(Tensor tensor, int number, @Default("default") String word);
}
