package org.gradwire.runtime.tests.functions;

import static java.util.Objects.requireNonNull;

import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.nn.Linear;
import org.gradwire.nn.Module;
import org.gradwire.nn.remote.RemoteModule;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Tensor;

/** Queries of modules on their owner. */
@RemoteCallable
public final class Modules {

    private Modules() {}

    /** {@return the gradient of a parameter in a context} */
    public static Tensor gradient(RRef<Tensor> parameter, long contextId) {
        var context = DistAutograd.lookup(Rpc.current(), contextId);
        return requireNonNull(context.gradients().get(parameter.localValue()));
    }

    /** {@return whether a module is in training mode} */
    public static boolean isTraining(RRef<? extends Module> module) {
        return module.localValue().isTraining();
    }

    /** {@return whether a parameter requires gradients} */
    public static boolean requiresGrad(RRef<Tensor> parameter) {
        return parameter.localValue().requiresGrad();
    }

    /** Set the gradient of a parameter. */
    public static void setGradient(RRef<Tensor> parameter) {
        parameter.localValue().grad(parameter.localValue().detach());
    }

    /** {@return whether a parameter has a gradient} */
    public static boolean hasGradient(RRef<Tensor> parameter) {
        return parameter.localValue().grad() != null;
    }

    /** {@return the device of the first parameter of a module} */
    public static String device(RRef<? extends Module> module) {
        return module.localValue().parameters().getFirst().device().toString();
    }

    /** {@return whether this worker has a device map for the owner of a received module} */
    public static boolean mapsDevices(RemoteModule<Linear> layer) {
        return layer.isDeviceMapSet();
    }

    /** {@return the output of a received module} */
    public static Tensor output(RemoteModule<Linear> layer, Tensor input) {
        return layer.forward(Linear::forward, input);
    }

    /** Call a received module, and close it. */
    public static void callAndClose(RemoteModule<Linear> layer, Tensor input) {
        try (layer) {
            var _ = layer.forward(Linear::forward, input);
        }
    }

    /** Wait until this worker owns a number of referenced values, each with a user. */
    public static void awaitOwned(int count) throws InterruptedException {
        String wanted = Integer.toString(count);
        long deadline = System.nanoTime() + 30_000_000_000L;
        while (!figure("num_owner_rrefs").equals(wanted) || !figure("num_forks").equals(wanted)) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError(
                        "not %s within 30 seconds: %s"
                                .formatted(wanted, Rpc.current().debugInfo()));
            }
            Thread.sleep(1);
        }
    }

    private static String figure(String key) {
        return requireNonNull(Rpc.current().debugInfo().get(key));
    }
}
