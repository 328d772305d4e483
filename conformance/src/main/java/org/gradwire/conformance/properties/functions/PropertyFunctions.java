package org.gradwire.conformance.properties.functions;

import org.gradwire.rpc.NonRetaining;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Remote functions of the random programs. */
@RemoteCallable
public final class PropertyFunctions {

    private PropertyFunctions() {}

    /** A pair that is sent as a record. */
    @WireValue
    public record Pair(@Nullable Object left, @Nullable Object right) {}

    /** References that a worker holds for a program, by number. */
    private static final class Holder {
        private final Map<Integer, RRef<Integer>> references = new ConcurrentHashMap<>();
    }

    /** Gates that block calls, by number. */
    private static final class Gates {
        private final Map<Long, CountDownLatch> gates = new ConcurrentHashMap<>();

        private CountDownLatch gate(long key) {
            return gates.computeIfAbsent(key, _ -> new CountDownLatch(1));
        }
    }

    @NonRetaining
    public static @Nullable Object echo(@Nullable Object value) {
        return value;
    }

    /** {@return whether two local references have the same value object} */
    public static boolean sameLocalValue(RRef<Tensor> a, RRef<Tensor> b) {
        return a.localValue() == b.localValue();
    }

    @NonRetaining
    public static Tensor tanhOfSum(Tensor a, Tensor b) {
        return a.add(b).tanh();
    }

    /** Multiply on the next worker. */
    @NonRetaining
    public static Tensor nestedProduct(Tensor a, Tensor b) {
        Rpc rpc = Rpc.current();
        int next = (rpc.self().id() + 1) % rpc.workers().size();
        return rpc.rpcSync("worker" + next, Ops::mul, a, b);
    }

    public static Tensor fails(Tensor a, Tensor b) {
        throw new IllegalStateException(
                "no result of %d and %d numbers".formatted(a.numel(), b.numel()));
    }

    public static Tensor failsBackward(Tensor a, Tensor b) {
        Tensor sum = a.add(b);
        if (sum.requiresGrad()) {
            sum.registerHook(_ -> {
                throw new IllegalStateException("Simulate error on backward pass");
            });
        }
        return sum;
    }

    public static int number(int value) {
        return value;
    }

    /** Keep a reference under a number. */
    public static void hold(int key, RRef<Integer> reference) {
        holder().put(key, reference.retain());
    }

    /** Forward a reference held here to another worker, which keeps it under a new number. */
    public static void passOn(int key, String to, int newKey) {
        Rpc.current().runSync(to, PropertyFunctions::hold, newKey, held(key));
    }

    /** {@return the value of a reference held here} */
    public static int read(int key) {
        return held(key).toHere();
    }

    public static void drop(int key) {
        held(key).close();
        holder().remove(key);
    }

    private static RRef<Integer> held(int key) {
        RRef<Integer> reference = holder().get(key);
        if (reference == null) {
            throw new IllegalStateException("no reference " + key + " is held here");
        }
        return reference;
    }

    private static Map<Integer, RRef<Integer>> holder() {
        return Rpc.current().locals().get(Holder.class, Holder::new).references;
    }

    /** Return a number once its gate is open; fails after a minute. */
    public static long afterGate(long key) throws InterruptedException {
        if (!gates().gate(key).await(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("gate " + key + " was not opened within a minute");
        }
        return key;
    }

    public static void openGate(long key) {
        gates().gate(key).countDown();
    }

    private static Gates gates() {
        return Rpc.current().locals().get(Gates.class, Gates::new);
    }
}
