package org.gradwire.runtime.tests.functions;

import static java.util.Objects.requireNonNull;

import org.gradwire.autograd.DistAutograd;
import org.gradwire.nn.Linear;
import org.gradwire.nn.Module;
import org.gradwire.nn.remote.RemoteModule;
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

    /** {@return whether a parameter gets gradients} */
    public static boolean requiresGrad(RRef<Tensor> parameter) {
        return parameter.localValue().requiresGrad();
    }

    /** Give a parameter a gradient. */
    public static void giveGradient(RRef<Tensor> parameter) {
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

    /** {@return whether this worker maps devices for the owner of a module that came here} */
    public static boolean mapsDevices(RemoteModule<Linear> layer) {
        return layer.isDeviceMapSet();
    }

    /** {@return what a module that came here computes} */
    public static Tensor output(RemoteModule<Linear> layer, Tensor input) {
        return layer.forward(Linear::forward, input);
    }

    /** Call a module that came here, and give it up. */
    public static void callAndClose(RemoteModule<Linear> layer, Tensor input) {
        try (layer) {
            var _ = layer.forward(Linear::forward, input);
        }
    }

    /** Wait until this worker owns as many referred values as that, each of which is used. */
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
