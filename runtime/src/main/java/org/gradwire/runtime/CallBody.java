package org.gradwire.runtime;

import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.function.FunctionKind;
import org.gradwire.runtime.function.FunctionTable;
import org.gradwire.runtime.function.RemoteFunction;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Input;
import org.gradwire.spi.Output;
import org.jspecify.annotations.Nullable;

/** The bodies of calls and of their replies. */
final class CallBody {
    private static final int MAX_ARGUMENTS = 255;
    private static final int ON_REFERENT = 4;
    private static final int CANCELLABLE = 8;

    /** Id of a call that cannot be cancelled. */
    static final long NO_ID = -1;

    private static final int VALUE = 0;
    private static final int FAILURE = 1;

    private CallBody() {}

    /**
     * What a call begins with.
     *
     * @param onReferent whether the first argument is a reference, which stands for its value
     * @param id by which the caller may cancel it, or {@link #NO_ID}
     */
    record Head(FunctionKind kind, boolean onReferent, long id) {}

    static void writeCall(BoundCall call, long id, Output out) {
        RemoteFunction function = call.function();
        out.writeInt(
                function.kind().code()
                        | (call.onReferent() ? ON_REFERENT : 0)
                        | (id == NO_ID ? 0 : CANCELLABLE));
        if (id != NO_ID) {
            out.writeLong(id);
        }
        out.writeBytes(function.nameBytes());
        out.writeInt(call.args().length);
        for (Object arg : call.args()) {
            out.writeValue(arg);
        }
    }

    static Head readHead(Input in) {
        int code = in.readInt();
        return new Head(
                FunctionKind.ofCode(code & ~(ON_REFERENT | CANCELLABLE)),
                (code & ON_REFERENT) != 0,
                (code & CANCELLABLE) == 0 ? NO_ID : in.readLong());
    }

    static RemoteFunction readFunction(FunctionKind kind, FunctionTable functions, Input in) {
        return functions.lookUp(kind, in.readString());
    }

    static @Nullable Object[] readArguments(Input in) {
        var args = new @Nullable Object[in.readCount(MAX_ARGUMENTS)];
        for (int i = 0; i < args.length; i++) {
            args[i] = in.readValue();
        }
        return args;
    }

    static void writeValue(@Nullable Object value, Output out) {
        out.writeInt(VALUE);
        out.writeValue(value);
    }

    static void writeFailure(Throwable failure, WorkerInfo self, Output out) {
        out.writeInt(FAILURE);
        FailureCodec.writeFunctionFailure(failure, self, out);
    }

    /**
     * Read a reply.
     *
     * @throws RuntimeException the failure, if it is one
     */
    static @Nullable Object readResult(Input in) {
        return switch (in.readInt()) {
            case VALUE -> in.readValue();
            case FAILURE -> throw FailureCodec.readFunctionFailure(in);
            default -> throw new DecodingException("a reply is neither a value nor a failure");
        };
    }
}
