package org.gradwire.conformance.functions;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;

/** A plain value with a method, which references hold: what PyTorch's tests call a script class. */
@RemoteCallable
@WireValue
public record ValueClass(int value) {

    public int getValue() {
        return value;
    }
}
