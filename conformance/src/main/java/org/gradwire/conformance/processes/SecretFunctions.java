package org.gradwire.conformance.processes;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.tensor.Tensor;

/** Remote functions of {@link SecretWorker}. */
public final class SecretFunctions {
    /** The name of the function, to look for in frames. */
    static final String NAME = "returnTheTensorOfThisUnmistakableText";

    private SecretFunctions() {}

    /** Return a tensor, if the text is not empty. */
    @RemoteCallable
    public static Tensor returnTheTensorOfThisUnmistakableText(String text, Tensor value) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("no text arrived");
        }
        return value.clone();
    }
}
