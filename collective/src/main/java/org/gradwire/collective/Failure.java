package org.gradwire.collective;

import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Input;
import org.gradwire.spi.Output;

/** The reason why a group cannot be used. It travels to the other members. */
record Failure(Cause cause, RpcErrorKind kind, String text) {
    private static final int MAX_TEXT = 4_000; // characters

    private static final Cause[] CAUSES = Cause.values();

    /** The kind of event. */
    enum Cause {
        /** A failure of an operation. */
        FAILURE(0),
        /** The members called different operations. */
        MISMATCH(1),
        /** The sender has closed the group; operations that do not need it continue. */
        CLOSED(2);

        private final int code;

        Cause(int code) {
            this.code = code;
        }

        private static Cause ofCode(int code) {
            for (Cause cause : CAUSES) {
                if (cause.code == code) {
                    return cause;
                }
            }
            throw new DecodingException("unknown cause " + code + " of the end of a group");
        }
    }

    static Failure mismatch(String text) {
        return new Failure(Cause.MISMATCH, RpcErrorKind.UNKNOWN, text);
    }

    static Failure closed(String text) {
        return new Failure(Cause.CLOSED, RpcErrorKind.SHUTDOWN, text);
    }

    static Failure of(RpcErrorKind kind, String text) {
        return new Failure(Cause.FAILURE, kind, text);
    }

    /** {@return the reason of an operation that threw an exception} */
    static Failure of(Throwable thrown, String operation) {
        RpcErrorKind kind = thrown instanceof RpcException e ? e.kind() : RpcErrorKind.UNKNOWN;
        return of(kind, operation + " failed: " + thrown.getMessage());
    }

    /** {@return a new exception, since threads share none} */
    RpcException exception() {
        if (cause == Cause.MISMATCH) {
            return new CollectiveMismatchException(text);
        }
        return switch (kind) {
            case CONNECTION -> new RpcConnectionException(text);
            case TIMEOUT -> new RpcTimeoutException(text);
            default -> new RpcException(kind, text);
        };
    }

    void write(Output out) {
        out.writeInt(cause.code);
        out.writeInt(kind.code());
        out.writeString(text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) : text);
    }

    static Failure read(Input in) {
        Cause cause = Cause.ofCode(in.readInt());
        RpcErrorKind kind = RpcErrorKind.ofCode(in.readInt());
        String text = in.readString();
        if (text.length() > MAX_TEXT) {
            throw new DecodingException("a reason of %d characters".formatted(text.length()));
        }
        return new Failure(cause, kind, text);
    }
}
