package org.gradwire.conformance.functions;

import org.gradwire.rpc.ModuleInterface;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.tensor.Tensor;

/** What others use of a {@link RankModule}. */
@ModuleInterface
@RemoteCallable
public interface ForwardModule {

    /** Return what the module holds. */
    Tensor forward();
}
