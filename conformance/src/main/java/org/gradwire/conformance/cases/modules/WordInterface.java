package org.gradwire.conformance.cases.modules;

import org.gradwire.rpc.Default;
import org.gradwire.rpc.ModuleInterface;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.tensor.Tensor;

/** The module interface of {@link WordModule}: MyModuleInterface in PyTorch's tests. */
@ModuleInterface
@RemoteCallable
public interface WordInterface {

    /** Return the arguments in reverse order. */
    Words forward(Tensor tensor, int number, @Default("default") String word);
}
