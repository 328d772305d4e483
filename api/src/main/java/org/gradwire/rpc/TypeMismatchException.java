package org.gradwire.rpc;

/**
 * An argument is of a type that the function, or the wire, does not take. PyTorch's {@code
 * TypeError}.
 */
public class TypeMismatchException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public TypeMismatchException(String message) {
        super(message);
    }
}
