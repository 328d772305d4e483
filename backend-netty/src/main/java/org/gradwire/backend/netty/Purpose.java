package org.gradwire.backend.netty;

import org.gradwire.spi.DecodingException;

/** Purpose of a connection, which its dialer states in the {@link Handshake}. */
enum Purpose {
    /** The lane for small messages and all other frames. */
    SMALL_LANE(0),
    /** The lane for large messages. */
    LARGE_LANE(1 << 1),
    /**
     * A handshake without a lane, in which both ends show their present certificates. Then the
     * connection is closed.
     */
    RENEWAL(1 << 2);

    private static final int MASK = LARGE_LANE.flags | RENEWAL.flags;

    private final int flags;

    Purpose(int flags) {
        this.flags = flags;
    }

    /** {@return its bits among the flags of a HELLO} */
    int flags() {
        return flags;
    }

    /**
     * {@return the purpose in the flags of a HELLO}
     *
     * @throws DecodingException when they name two
     */
    static Purpose of(int flags) {
        for (Purpose purpose : values()) {
            if ((flags & MASK) == purpose.flags) {
                return purpose;
            }
        }
        throw new DecodingException("a HELLO with two purposes");
    }
}
