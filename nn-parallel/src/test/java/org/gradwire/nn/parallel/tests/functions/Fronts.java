package org.gradwire.nn.parallel.tests.functions;

import org.gradwire.nn.Linear;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;

/** A layer on each worker, which others call. */
public final class Fronts {

    private Fronts() {}

    /** {@return a new layer, with the same weights each time} */
    public static Linear layer() {
        return new Linear(5, 5, 77L);
    }

    /** {@return the layer of this worker, always the same one} */
    @RemoteCallable
    public static Linear front() {
        return Rpc.current().locals().get(Linear.class, Fronts::layer);
    }
}
