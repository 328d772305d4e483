package org.gradwire.runtime.tests.functions;

import static java.util.Objects.requireNonNull;

import org.gradwire.autograd.DistAutograd;
import org.gradwire.nn.Module;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Tensor;

/** What workers are asked about the modules that live on them. */
@RemoteCallable
public final class Modules {

    private Modules() {}

    /** {@return the gradient that a context has of a parameter} */
    public static Tensor gradient(RRef<Tensor> parameter, long contextId) {
        var context = DistAutograd.find(Rpc.current(), contextId).orElseThrow();
        return requireNonNull(context.gradients().get(parameter.localValue()));
    }

    /** {@return whether a module is in training mode} */
    public static boolean isTraining(RRef<? extends Module> module) {
        return module.localValue().isTraining();
    }
}
