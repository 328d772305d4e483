package org.gradwire.backend.tensorpipe.seal;

/** A purpose for which a pair has keys in both directions. */
public enum Lane {
    /** Datagrams of the log from writer to reader. */
    DATA("data"),

    /** Datagrams about a log from its reader to its writer: status, loss, measurements. */
    STATUS("status"),

    /** Large buffers over TCP. */
    BULK("bulk");

    private final String label;

    Lane(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }
}
