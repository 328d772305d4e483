package org.gradwire.runtime.rref;

/** Why a handle is of no use any more. */
enum DeletionReason {
    /** The program closed it. */
    CLOSED(""),

    /** It came as an argument, and the function did not retain it. */
    CALL_ENDED(
            " It came as an argument of a call, whose function has ended; a function that keeps a reference longer calls retain() on it."),

    /** The value that kept it is gone. */
    VALUE_GONE(
            " It belonged to a value that nobody refers to any more; whatever keeps a reference longer calls retain() on it."),

    /** Its worker has left. */
    SHUTDOWN(" Its worker was shut down.");

    private final String sentence;

    DeletionReason(String sentence) {
        this.sentence = sentence;
    }

    /** {@return the sentence that an error adds, after a space; empty when there is none} */
    String sentence() {
        return sentence;
    }
}
