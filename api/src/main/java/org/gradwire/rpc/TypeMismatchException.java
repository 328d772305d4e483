package org.gradwire.rpc;

/**
 * An argument has a type that the function does not take or that cannot be sent. PyTorch's {@code
 * TypeError}.
 */
public class TypeMismatchException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public TypeMismatchException(String message) {
        super(message);
    }
}
