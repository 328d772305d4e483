package org.gradwire.conformance.functions;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;

/** A plain value with a method, for references: a script class in PyTorch's tests. */
@RemoteCallable
@WireValue
public record ValueClass(int value) {

    public int getValue() {
        return value;
    }
}
