package org.gradwire.conformance.functions;

import org.gradwire.rpc.Default;
import org.gradwire.rpc.RemoteCallable;

/** A class that is no module: what PyTorch's tests call BadModule. */
@RemoteCallable
public final class NoModule {

    /** Make one of the arguments that a {@link WordModule} takes. */
    public NoModule(int firstArg, @Default("-1") int firstKwarg) {}
}
