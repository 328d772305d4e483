package org.gradwire.attack.victim;

/** A class that no peer may initialize or call: it leaves a trace in the log if one does. */
public final class Unmarked {
    /** Stands in the log of a worker that ran code of this class. */
    public static final String TRACE = "UNMARKED-CODE-RAN";

    static {
        System.err.println(TRACE);
    }

    private Unmarked() {}

    /** Leave a trace. */
    public static void run() {
        System.err.println(TRACE);
    }
}
