package org.gradwire.attack.victim;

/** A class that peers must not initialize or call: it writes a trace to the log if one does. */
public final class Unmarked {
    /** The trace in the log of a worker that ran code of this class. */
    public static final String TRACE = "UNMARKED-CODE-RAN";

    static {
        System.err.println(TRACE);
    }

    private Unmarked() {}

    /** Write the trace. */
    public static void run() {
        System.err.println(TRACE);
    }
}
