package org.gradwire.conformance.cases.modules;

import org.gradwire.rpc.Default;
import org.gradwire.rpc.RemoteCallable;

/** A class that is not a module: BadModule in PyTorch's tests. */
@RemoteCallable
public final class NoModule {

    /** Create an instance from the arguments of a {@link WordModule}. */
    public NoModule(int firstArg, @Default("-1") int firstKwarg) {}
}
