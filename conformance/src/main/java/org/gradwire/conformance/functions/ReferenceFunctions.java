package org.gradwire.conformance.functions;

import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.ScriptFunction;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Remote functions that take or create references. */
public final class ReferenceFunctions {

    private ReferenceFunctions() {}

    @ScriptFunction
    public static boolean isOwner(RRef<Tensor> rref) {
        return rref.isOwner();
    }

    @ScriptFunction
    public static Tensor localValue(RRef<Tensor> rref) {
        return rref.localValue();
    }

    /** Return the local value, whatever its type: the declared one is not enforced. */
    @ScriptFunction
    public static @Nullable Object anyLocalValue(RRef<Tensor> rref) {
        RRef<?> untyped = rref;
        return untyped.localValue();
    }

    @ScriptFunction
    public static boolean confirmedByOwner(RRef<Tensor> rref) {
        return rref.confirmedByOwner();
    }

    @ScriptFunction
    public static Tensor toHere(RRef<Tensor> rref) {
        return rref.toHere();
    }

    @ScriptFunction
    public static RRef<Tensor> returnReference(RRef<Tensor> rref) {
        return rref;
    }

    /** Read a reference after a plain function has returned it. */
    @ScriptFunction
    public static Tensor toHereThroughPlain(RRef<Tensor> rref) {
        return plain(rref).toHere();
    }

    private static RRef<Tensor> plain(RRef<Tensor> rref) {
        return rref;
    }

    /** Create a reference on this worker. */
    @RemoteCallable
    public static RRef<ValueClass> ownerCreate(int value) {
        return Rpc.current().rref(new ValueClass(value));
    }

    @ScriptFunction
    public static int getValue(RRef<ValueClass> rref) {
        return rref.toHere().getValue();
    }

    /** Read the value on its owner, from script code. */
    @ScriptFunction
    public static int askOwner(RRef<ValueClass> rref) {
        return Rpc.current()
                .rpcAsync(
                        rref.owner().name(),
                        Call.to(ReferenceFunctions::getValue).args(rref).kwargs(Map.of()))
                .join();
    }

    @ScriptFunction
    public static List<Integer> listCreate() {
        return new ArrayList<>(List.of(1, 2, 3));
    }

    /** Append to a list in each way its owner can access it. */
    @ScriptFunction
    public static void listMutate(RRef<List<Integer>> rref) {
        rref.localValue().add(4);
        rref.toHere().add(5);
        rref.toHere(Duration.ofSeconds(5)).add(6);
    }

    @RemoteCallable
    public static int returnValue(int value) {
        return value;
    }

    /** Do nothing: the transfer of the reference is the test. */
    @RemoteCallable
    public static void take(RRef<Integer> rref) {
        if (rref.owner().equals(Rpc.current().self()) != rref.isOwner()) {
            throw new IllegalStateException(rref + " does not agree with itself about its owner");
        }
    }
}
