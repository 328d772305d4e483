package org.gradwire.runtime.tests.hidden;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;

/** A marked class in a package that its module does not export. */
@SuppressWarnings("gradwire") // refused when it is called or sent
public final class Hidden {
    private Hidden() {}

    @WireValue
    public record Value(int value) {}

    @RemoteCallable
    public static int function() {
        return 1;
    }
}
