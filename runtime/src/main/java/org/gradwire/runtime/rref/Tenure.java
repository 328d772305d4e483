package org.gradwire.runtime.rref;

/** For how long a handle is open. */
enum Tenure {
    /** Until the program closes it. */
    PROGRAM,

    /** Until the function of the call that it came with has ended. */
    CALL,

    /** Until the value that keeps it is gone. */
    VALUE
}
