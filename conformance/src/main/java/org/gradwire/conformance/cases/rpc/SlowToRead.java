package org.gradwire.conformance.cases.rpc;

import org.gradwire.conformance.functions.Gate;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WireValue;

/**
 * A value that one worker cannot decode until its gate opens.
 *
 * @param reader name of the worker
 * @param door door of its gate
 */
@WireValue
public record SlowToRead(String reader, String door) {

    public SlowToRead {
        if (isReadBy(reader)) {
            try {
                Gate.of(Rpc.current()).pass(door);
            } catch (InterruptedException e) {
                throw new IllegalStateException("interrupted", e);
            }
        }
    }

    private static boolean isReadBy(String reader) {
        try {
            return Rpc.current().self().name().equals(reader);
        } catch (RpcException _) {
            return false; // created by a program, not decoded by a worker
        }
    }
}
