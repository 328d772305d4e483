package org.gradwire.runtime.call;

import org.gradwire.runtime.function.FunctionKind;
import org.gradwire.runtime.function.RemoteFunction;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.runtime.rref.GloballyUniqueId;
import org.gradwire.runtime.rref.RRefContext;
import org.gradwire.runtime.rref.RRefType;
import org.gradwire.spi.Input;
import org.gradwire.spi.Output;
import org.jspecify.annotations.Nullable;

/**
 * The result of a remote call: the value of a reference, which stays on this worker.
 *
 * @param value completes with the value
 */
record RemoteResult(
        GloballyUniqueId rrefId, GloballyUniqueId forkId, CallFuture<@Nullable Object> value) {

    /** Create the reference that a request of a peer names. */
    static RemoteResult read(
            RRefContext rrefs, int from, FunctionKind kind, RemoteFunction function, Input in) {
        GloballyUniqueId rrefId = GloballyUniqueId.read(in);
        GloballyUniqueId forkId = GloballyUniqueId.read(in);
        var type = RRefType.madeBy(kind, function);
        return new RemoteResult(rrefId, forkId, rrefs.createOwned(from, rrefId, forkId, type));
    }

    void write(Output out) {
        rrefId.write(out);
        forkId.write(out);
    }
}
