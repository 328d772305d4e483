package org.gradwire.bench;

import org.gradwire.bench.process.Compiler;
import org.gradwire.rpc.NonRetaining;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.tensor.Tensor;

/** The functions that the measuring worker calls on its peer. */
public final class PeerFunctions {

    private PeerFunctions() {}

    /** Do nothing. */
    @RemoteCallable
    public static void noop() {}

    /** Wait until the compiler is idle. */
    @RemoteCallable
    public static void settle() throws InterruptedException {
        Compiler.settle();
    }

    /** Return the heap bytes that all threads of this JVM have allocated so far. */
    @RemoteCallable
    public static long allocatedBytes() {
        return Allocation.bytesOfThisJvm();
    }

    /** Return the argument. */
    @RemoteCallable
    @NonRetaining
    public static Tensor echo(Tensor tensor) {
        return tensor;
    }

    /** Compute one layer of the chain. */
    @RemoteCallable
    @NonRetaining
    public static Tensor reluLinear(Tensor input, Tensor weight) {
        return input.matmul(weight).relu();
    }
}
