package org.gradwire.runtime.tests.functions;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Tensor;

/** Functions that behave differently on each member of a group. */
@RemoteCallable
public final class Members {

    private Members() {}

    /** {@return the name of the worker that runs it} */
    public static String name() {
        return Rpc.current().self().name();
    }

    /** Fail on the worker with this name, hold on another, and return the name elsewhere. */
    public static String act(String failing, String holding) throws InterruptedException {
        String name = name();
        if (failing.contains(name)) {
            throw new IllegalStateException("no luck on " + name);
        }
        if (holding.contains(name)) {
            Holds.hold(0);
        }
        return name;
    }

    /** Hold until released or interrupted, and return the value. */
    public static Object hold(Object value) throws InterruptedException {
        Holds.hold(0);
        return value;
    }

    /** As {@link #act}, with a reference to a value of the worker. */
    public static RRef<String> refer(String failing, String holding) throws InterruptedException {
        return Rpc.current().rref(act(failing, holding));
    }

    /** {@return the product with the number of the worker that runs it} */
    public static Tensor scaled(Tensor tensor) {
        return tensor.mul(Rpc.current().self().id());
    }

    /** {@return the product of a referent of this worker with a tensor} */
    public static Tensor product(RRef<Tensor> copy, Tensor tensor) {
        return copy.localValue().mul(tensor);
    }
}
