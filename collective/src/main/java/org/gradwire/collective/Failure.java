package org.gradwire.collective;

import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Input;
import org.gradwire.spi.Output;

/**
 * The reason why a group is broken. It travels to the other members.
 *
 * @param mismatch whether the members called different operations
 */
record Failure(boolean mismatch, RpcErrorKind kind, String text) {
    private static final int MAX_TEXT = 4_000; // characters

    static Failure mismatch(String text) {
        return new Failure(true, RpcErrorKind.UNKNOWN, text);
    }

    static Failure of(RpcErrorKind kind, String text) {
        return new Failure(false, kind, text);
    }

    /** {@return the reason of an operation that threw an exception} */
    static Failure of(Throwable thrown, String operation) {
        RpcErrorKind kind = thrown instanceof RpcException e ? e.kind() : RpcErrorKind.UNKNOWN;
        return of(kind, operation + " failed: " + thrown.getMessage());
    }

    /** {@return a new exception, since each thread that fails gets one of its own} */
    RpcException exception() {
        if (mismatch) {
            return new CollectiveMismatchException(text);
        }
        return switch (kind) {
            case CONNECTION -> new RpcConnectionException(text);
            case TIMEOUT -> new RpcTimeoutException(text);
            default -> new RpcException(kind, text);
        };
    }

    void write(Output out) {
        out.writeBoolean(mismatch);
        out.writeInt(kind.code());
        out.writeString(text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) : text);
    }

    static Failure read(Input in) {
        boolean mismatch = in.readBoolean();
        RpcErrorKind kind = RpcErrorKind.ofCode(in.readInt());
        String text = in.readString();
        if (text.length() > MAX_TEXT) {
            throw new DecodingException("a reason of %d characters".formatted(text.length()));
        }
        return new Failure(mismatch, kind, text);
    }
}
