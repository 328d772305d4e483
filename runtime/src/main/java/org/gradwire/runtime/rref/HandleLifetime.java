package org.gradwire.runtime.rref;

/** The lifetime of a handle. */
enum HandleLifetime {
    /** Until the program closes it. */
    PROGRAM,

    /** Until the function whose argument it is has ended. */
    CALL,

    /** Until the value that keeps it is deleted. */
    VALUE,

    /** Until it is sent. */
    MESSAGE
}
