package org.gradwire.runtime.call;

import org.gradwire.rpc.FunctionSchema;
import org.gradwire.rpc.UdfCodec;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.function.FunctionKind;
import org.gradwire.runtime.function.RemoteFunction;
import org.gradwire.runtime.retry.RetryHeader;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Input;
import org.gradwire.spi.Output;
import org.jspecify.annotations.Nullable;

import java.lang.reflect.Type;
import java.util.List;

/** Encodes and decodes the bodies of calls and of their replies. */
final class CallBody {
    private static final int MAX_ARGUMENTS = 255;
    private static final int ON_REFERENT = 4;
    private static final int CANCELLABLE = 8;
    private static final int CODED = 16;
    private static final int RETRIED = 32;
    private static final int FLAGS = ON_REFERENT | CANCELLABLE | CODED | RETRIED;

    /** Id of a call that is sent once and cannot be cancelled. */
    static final long NO_ID = -1;

    private static final int VALUE = 0;
    private static final int FAILURE = 1;
    private static final int CODED_VALUE = 2;

    private CallBody() {}

    /**
     * The head of a call, before the function's name.
     *
     * @param onReferent whether the first argument is a reference whose value is passed
     * @param id identifies the call when it is cancelled or sent again; or {@link #NO_ID}
     * @param retried null for a call that is sent once
     * @param codec the name of the codec of the arguments; empty for the built-in one
     */
    record Head(
            FunctionKind kind,
            boolean onReferent,
            long id,
            @Nullable RetryHeader retried,
            String codec) {

        /** The heads of calls with a kind only, as most are, by the kind's code. */
        private static final Head[] OF_KIND = ofKinds();

        private static Head[] ofKinds() {
            var heads = new Head[FunctionKind.values().length];
            for (FunctionKind kind : FunctionKind.values()) {
                heads[kind.code()] = new Head(kind, false, NO_ID, null, "");
            }
            return heads;
        }
    }

    static void writeCall(BoundCall call, long id, @Nullable RetryHeader retried, Output out) {
        RemoteFunction function = call.function();
        UdfCodec codec = call.codec();
        out.attach(FunctionSchema.class, function.schema());
        out.writeInt(
                function.kind().code()
                        | (call.onReferent() ? ON_REFERENT : 0)
                        | (id == NO_ID ? 0 : retried == null ? CANCELLABLE : RETRIED)
                        | (codec == null ? 0 : CODED));
        if (id != NO_ID) {
            out.writeLong(id);
        }
        if (retried != null) {
            out.writeLong(retried.ended());
            out.writeLong(retried.place());
        }
        if (codec != null) {
            out.writeString(codec.name());
        }
        out.writeBytes(function.nameBytes());
        out.writeInt(call.args().length);
        for (int i = 0; i < call.args().length; i++) {
            if (codec == null) {
                out.writeValue(call.args()[i]);
            } else {
                UdfValues.write(codec, call.args()[i], argument(function, i), out);
            }
        }
    }

    private static String argument(RemoteFunction function, int index) {
        return "argument '%s' of %s"
                .formatted(
                        function.schema().parameters().get(index).name(), function.schema().name());
    }

    private static String result(RemoteFunction function) {
        return "the result of " + function.schema().name();
    }

    static Head readHead(Input in) {
        int code = in.readInt();
        FunctionKind kind = FunctionKind.ofCode(code & ~FLAGS);
        if ((code & FLAGS) == 0) {
            return Head.OF_KIND[code];
        }
        boolean isRetried = (code & RETRIED) != 0;
        boolean coded = (code & CODED) != 0;
        if (coded && kind != FunctionKind.USER) {
            throw new DecodingException("only user functions are called with a codec");
        }
        return new Head(
                kind,
                (code & ON_REFERENT) != 0,
                isRetried || (code & CANCELLABLE) != 0 ? in.readLong() : NO_ID,
                isRetried ? new RetryHeader(in.readLong(), in.readLong()) : null,
                coded ? in.readString() : "");
    }

    /**
     * Read the arguments of a call.
     *
     * @param codec the codec that wrote them; null for the built-in one
     */
    static @Nullable Object[] readArguments(
            RemoteFunction function, @Nullable UdfCodec codec, Input in) {
        var args = new @Nullable Object[in.readCount(MAX_ARGUMENTS)];
        List<Type> types = function.declared().parameters();
        if (codec != null && args.length != types.size()) {
            throw new DecodingException(
                    "%d arguments were sent for %s, which takes %d; use the same version of it on caller and callee"
                            .formatted(args.length, function.schema(), types.size()));
        }
        for (int i = 0; i < args.length; i++) {
            args[i] =
                    codec == null
                            ? in.readValue()
                            : UdfValues.read(codec, types.get(i), argument(function, i), in);
        }
        return args;
    }

    static void writeValue(@Nullable Object value, Output out) {
        out.writeInt(VALUE);
        out.writeValue(value);
    }

    /**
     * Write the result of a call.
     *
     * @param codec the codec of the call; null for the built-in one
     */
    static void writeResult(
            RemoteFunction function,
            @Nullable UdfCodec codec,
            @Nullable Object result,
            Output out) {
        out.attach(FunctionSchema.class, function.schema());
        if (codec == null) {
            writeValue(result, out);
        } else {
            out.writeInt(CODED_VALUE);
            UdfValues.write(codec, result, result(function), out);
        }
    }

    static void writeFailure(Throwable failure, WorkerInfo self, Output out) {
        out.writeInt(FAILURE);
        FailureCodec.writeFunctionFailure(failure, self, out);
    }

    /**
     * Read a reply to a call that was made with a codec.
     *
     * @throws RuntimeException the failure, if the reply is one
     */
    static @Nullable Object readResult(BoundCall call, UdfCodec codec, Input in) {
        return switch (in.readInt()) {
            case CODED_VALUE ->
                    UdfValues.read(
                            codec,
                            call.function().declared().result(),
                            result(call.function()),
                            in);
            case FAILURE -> throw FailureCodec.readFunctionFailure(in);
            default -> throw new DecodingException("a reply is not in the codec of its call");
        };
    }

    /**
     * Read a reply to a call that was made without a codec.
     *
     * @throws RuntimeException the failure, if the reply is one
     */
    static @Nullable Object readValue(Input in) {
        return switch (in.readInt()) {
            case VALUE -> in.readValue();
            case FAILURE -> throw FailureCodec.readFunctionFailure(in);
            default -> throw new DecodingException("a reply is neither a value nor a failure");
        };
    }
}
