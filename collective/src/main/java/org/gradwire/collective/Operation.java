package org.gradwire.collective;

import org.gradwire.spi.DecodingException;

/** The operations of a group. */
enum Operation {
    ALL_REDUCE(1, "allReduce"),
    BROADCAST(2, "broadcast"),
    ALL_GATHER(3, "allGather"),
    REDUCE_SCATTER(4, "reduceScatter"),
    BARRIER(5, "barrier"),
    REDUCE(6, "reduce"),
    GATHER(7, "gather"),
    SCATTER(8, "scatter"),
    ALL_TO_ALL(9, "allToAll"),
    /** A message from one member to another. */
    SEND(10, "sendTo");

    private static final Operation[] ALL = values();

    private final int code;
    private final String method;

    Operation(int code, String method) {
        this.code = code;
        this.method = method;
    }

    /** {@return the number on the wire} */
    int code() {
        return code;
    }

    /** {@return the method of {@link ProcessGroup}} */
    String method() {
        return method;
    }

    static Operation ofCode(int code) {
        if (code < 1 || code > ALL.length) {
            throw new DecodingException("unknown collective operation " + code);
        }
        return ALL[code - 1];
    }
}
