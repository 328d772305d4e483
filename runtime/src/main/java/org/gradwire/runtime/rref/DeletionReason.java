package org.gradwire.runtime.rref;

/** The reason why a handle is closed. */
enum DeletionReason {
    /** The program closed it. */
    CLOSED(""),

    /** An argument that the function did not retain. */
    CALL_ENDED(
            " It was an argument of a call whose function has ended; a function that keeps a reference longer must call retain() on it."),

    /** The value that kept it was deleted. */
    VALUE_GONE(
            " It belonged to a value without further references; code that keeps a reference longer must call retain() on it."),

    /** It was sent, and lived until then. */
    SENT(" It was passed on."),

    /** Its worker has left. */
    SHUTDOWN(" Its worker was shut down.");

    private final String sentence;

    DeletionReason(String sentence) {
        this.sentence = sentence;
    }

    /** {@return the sentence for the error text, after a space; possibly empty} */
    String sentence() {
        return sentence;
    }
}
