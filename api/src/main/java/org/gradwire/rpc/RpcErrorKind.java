package org.gradwire.rpc;

/** The kinds of failure that callers distinguish. */
public enum RpcErrorKind {
    /** Any other failure; see the message. */
    UNKNOWN(0),
    /** The deadline passed. The callee was not stopped; whether it ran the function is unknown. */
    TIMEOUT(1),
    /** A fault injected by a fault-injecting backend. */
    INTENTIONAL_FAILURE(2),
    /** The peer is dead, unreachable, or was restarted. Whether it ran the function is unknown. */
    CONNECTION(3),
    /**
     * The message was refused before it was sent: too large, or its queue is full. The function did
     * not run.
     */
    REFUSED(4),
    /** The receiver could not decode the message. The function did not run. */
    UNDECODABLE(5),
    /** This worker, or the peer, was shut down. */
    SHUTDOWN(6),
    /** The caller cancelled the call. Whether the callee ran the function is unknown. */
    CANCELLED(7),
    /**
     * The callee has run the function, or may have, but its reply cache no longer holds the reply.
     */
    REPLY_GONE(8),
    /** The callee does not permit this to the caller. The function did not run. */
    PERMISSION_DENIED(9);

    private final int code;

    RpcErrorKind(int code) {
        this.code = code;
    }

    /** {@return the code of this kind on the wire and in {@code RPCErr:<code>:}} */
    public int code() {
        return code;
    }

    /** Return the kind with a code; {@link #UNKNOWN} for a code that this version does not know. */
    public static RpcErrorKind ofCode(int code) {
        for (RpcErrorKind kind : values()) {
            if (kind.code == code) {
                return kind;
            }
        }
        return UNKNOWN;
    }
}
