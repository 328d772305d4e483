package org.gradwire.rpc;

/** The classes of failure that callers tell apart. */
public enum RpcErrorKind {
    /** Anything else; the message says what. */
    UNKNOWN(0),
    /**
     * The deadline passed. The callee was not stopped; whether it ran the function is not known.
     */
    TIMEOUT(1),
    /** A fault that was injected on purpose, by a fault-injecting backend. */
    INTENTIONAL_FAILURE(2),
    /**
     * The peer is dead, unreachable, or was restarted. Whether it ran the function is not known.
     */
    CONNECTION(3),
    /**
     * The message was refused before it was sent: too large, or its queue is full. The function did
     * not run.
     */
    REFUSED(4),
    /** The bytes of a message made no sense to its receiver. The function did not run. */
    UNDECODABLE(5),
    /** This worker, or the peer, was shut down. */
    SHUTDOWN(6),
    /** The caller gave the call up. Whether the callee ran the function is not known. */
    CANCELLED(7),
    /**
     * The callee has run the function, or may have, but does not keep the answer any more for which
     * a repeated request asks.
     */
    ANSWER_GONE(8);

    private final int code;

    RpcErrorKind(int code) {
        this.code = code;
    }

    /** {@return the number that stands for this kind on the wire and in {@code RPCErr:<code>:}} */
    public int code() {
        return code;
    }

    /** Return the kind of a number; {@link #UNKNOWN} for one that a newer peer may have sent. */
    public static RpcErrorKind ofCode(int code) {
        for (RpcErrorKind kind : values()) {
            if (kind.code == code) {
                return kind;
            }
        }
        return UNKNOWN;
    }
}
