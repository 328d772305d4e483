package org.gradwire.rpc;

import org.jspecify.annotations.Nullable;

/**
 * Runs script functions on this worker, under the same rules as remote ones: arguments are checked
 * against the schema and defaults are filled in.
 *
 * <p>Obtained from {@link Rpc#script}. The counterpart of calling a TorchScript function and of
 * {@code torch.jit.fork}.
 */
public interface Script {

    /**
     * Run a script function on the calling thread.
     *
     * @throws IllegalArgumentException when the function is not a {@link ScriptFunction} or the
     *     arguments do not fit its schema
     */
    <R extends @Nullable Object> R call(Call<R> call);

    /**
     * Run a script function on another thread, within the autograd context and the profiler of this
     * one.
     *
     * @return completes with its result
     */
    <R extends @Nullable Object> RpcFuture<R> fork(Call<R> call);

    /** {@return whether the calling thread runs a script function} */
    boolean isRunning();
}
