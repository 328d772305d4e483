package org.gradwire.tensor.dispatch;

import java.util.ServiceLoader;

/** Finds operators by name, as PyTorch's dispatcher does. */
public final class Dispatcher {
    private static final OperatorLibrary LIBRARY =
            ServiceLoader.load(OperatorLibrary.class, OperatorLibrary.class.getClassLoader())
                    .findFirst()
                    .orElseThrow(() ->
                            new IllegalStateException(
                                    "no provider of %s; keep META-INF/services when jars are merged"
                                            .formatted(OperatorLibrary.class.getName())));

    private Dispatcher() {}

    /**
     * Return the operator with a name. Its family is initialized.
     *
     * @throws IllegalStateException when there is none
     */
    public static OperatorHandle find(String name) {
        OperatorHandle found = LIBRARY.find(name);
        if (found == null) {
            throw new IllegalStateException("no row is named " + name);
        }
        return found;
    }
}
