package org.gradwire.rpc;

/**
 * An argument has a type that the function does not take or that cannot be sent. PyTorch's {@code
 * TypeError}.
 */
public class TypeMismatchException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /** Create an exception whose text names the type and what was expected. */
    public TypeMismatchException(String message) {
        super(message);
    }
}
