package org.gradwire.runtime.call;

import org.gradwire.rpc.RemoteArgumentException;
import org.gradwire.rpc.RemoteException;
import org.gradwire.rpc.RemoteFailure;
import org.gradwire.rpc.RemoteTypeMismatchException;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Input;
import org.gradwire.spi.Output;

import java.io.PrintWriter;
import java.io.StringWriter;

/**
 * Encodes failures of functions, which keep their category, and of requests that did not reach a
 * function.
 */
public final class FailureCodec {
    private static final int RUNTIME = 0;
    private static final int ARGUMENT = 1;
    private static final int TYPE_MISMATCH = 2;

    private FailureCodec() {}

    /** Write the failure of a function. */
    static void writeFunctionFailure(Throwable thrown, WorkerInfo self, Output out) {
        Throwable failure = FunctionException.original(thrown);
        out.writeInt(
                failure instanceof TypeMismatchException
                        ? TYPE_MISMATCH
                        : failure instanceof IllegalArgumentException ? ARGUMENT : RUNTIME);
        String type =
                failure instanceof RemoteFailure remote
                        ? remote.remoteType()
                        : failure.getClass().getName();
        out.writeInt(self.id());
        out.writeString(self.name());
        out.writeString(type);
        out.writeString(text(failure, type, self));
    }

    private static String text(Throwable failure, String type, WorkerInfo self) {
        String category = type.substring(type.lastIndexOf('.') + 1);
        return "%s: On %s:%n%s%n%s"
                .formatted(category, self, failure.getMessage(), stackTrace(failure));
    }

    private static String stackTrace(Throwable failure) {
        var trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        return trace.toString().stripTrailing();
    }

    /** Read the failure of a function. */
    static RuntimeException readFunctionFailure(Input in) {
        int category = in.readInt();
        var worker = new WorkerInfo(in.readInt(), in.readString());
        String type = in.readString();
        String text = in.readString();
        return switch (category) {
            case RUNTIME -> new RemoteException(worker, type, text);
            case ARGUMENT -> new RemoteArgumentException(worker, type, text);
            case TYPE_MISMATCH -> new RemoteTypeMismatchException(worker, type, text);
            default -> throw new DecodingException("unknown category of failure " + category);
        };
    }

    /** Write the failure of a request. */
    static void writeRequestFailure(Throwable failure, WorkerInfo self, Output out) {
        RpcErrorKind kind = failure instanceof RpcException e ? e.kind() : RpcErrorKind.UNKNOWN;
        out.writeInt(kind.code());
        String message = failure.getMessage();
        out.writeString(
                "Error on Node "
                        + self.id()
                        + ": "
                        + (message == null ? failure.toString() : message));
    }

    /** Read the failure of a request. */
    static RpcException readRequestFailure(Input in) {
        RpcErrorKind kind = RpcErrorKind.ofCode(in.readInt());
        return ofKind(kind, in.readString());
    }

    /** Return a failure of the class for its kind. */
    public static RpcException ofKind(RpcErrorKind kind, String text) {
        return switch (kind) {
            case CONNECTION -> new RpcConnectionException(text);
            case TIMEOUT -> new RpcTimeoutException(text);
            default -> new RpcException(kind, text);
        };
    }
}
