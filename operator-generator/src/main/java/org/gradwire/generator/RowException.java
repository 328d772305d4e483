package org.gradwire.generator;

/** A row is wrong; the message says what, without the row's name. */
final class RowException extends RuntimeException {
    private static final long serialVersionUID = 1;

    RowException(String message) {
        super(message);
    }
}
