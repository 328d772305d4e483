package org.gradwire.conformance.cases.modules;

import org.gradwire.rpc.ModuleInterface;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.tensor.Tensor;

/** The module interface of {@link RankModule}. */
@ModuleInterface
@RemoteCallable
public interface ForwardModule {

    /** Return the module's tensor. */
    Tensor forward();
}
