package org.gradwire.conformance.functions;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WireValue;

/**
 * A value that a certain worker cannot read before its gate opens.
 *
 * @param reader name of the worker
 * @param door of its gate
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
            return false; // made by a program, not read by a worker
        }
    }
}
