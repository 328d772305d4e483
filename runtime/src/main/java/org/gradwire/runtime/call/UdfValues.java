package org.gradwire.runtime.call;

import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.rpc.UdfCodec;
import org.gradwire.runtime.function.DeclaredTypes;
import org.gradwire.runtime.future.FutureFailures;
import org.gradwire.runtime.wire.WireInput;
import org.gradwire.runtime.wire.WireOutput;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Input;
import org.gradwire.spi.Output;
import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodType;
import java.lang.reflect.Type;
import java.util.Objects;

/**
 * Encodes the values of a call with a codec of the program; values with an installed codec as
 * usual, since they carry more than bytes.
 */
final class UdfValues {

    private UdfValues() {}

    /**
     * Write a value.
     *
     * @param what describes the value in failures
     * @throws TypeMismatchException when the codec fails
     */
    static void write(UdfCodec codec, @Nullable Object value, String what, Output to) {
        var out = (WireOutput) to;
        if (value == null || out.isCoded(value)) {
            out.writeBoolean(false);
            out.writeValue(value);
            return;
        }
        byte[] bytes = encode(codec, value, what);
        out.markHeavy();
        out.writeBoolean(true);
        out.writeBytes(bytes);
    }

    private static byte[] encode(UdfCodec codec, Object value, String what) {
        try {
            return Objects.requireNonNull(codec.encode(value), "it returned null");
        } catch (Throwable thrown) {
            rethrowIfGrave(thrown);
            var failure =
                    new TypeMismatchException(
                            "codec '%s' cannot encode %s, a %s: %s"
                                    .formatted(
                                            codec.name(),
                                            what,
                                            value.getClass().getName(),
                                            FutureFailures.printed(thrown)));
            failure.initCause(thrown);
            throw failure;
        }
    }

    /**
     * Read a value.
     *
     * @param what describes the value in failures
     * @throws DecodingException if the codec fails, or returns a value of another type
     */
    static @Nullable Object read(UdfCodec codec, Type type, String what, Input from) {
        var in = (WireInput) from;
        if (!in.readBoolean()) {
            return in.readValue();
        }
        in.heavyFollows("a value by codec " + codec.name());
        byte[] bytes = in.readBytes();
        try {
            Object value = codec.decode(bytes, type);
            Class<?> wanted = MethodType.methodType(DeclaredTypes.erased(type)).wrap().returnType();
            if (!wanted.isInstance(value)) {
                throw new ClassCastException(
                        "it returned " + (value == null ? "null" : "a " + value.getClass()));
            }
            return value;
        } catch (Throwable thrown) {
            rethrowIfGrave(thrown);
            throw new DecodingException(
                    "codec '%s' cannot decode %s, a %s: %s"
                            .formatted(
                                    codec.name(),
                                    what,
                                    type.getTypeName(),
                                    FutureFailures.printed(thrown)),
                    thrown);
        }
    }

    /**
     * Rethrow errors of the JVM, except stack overflows: a value nested too deeply is a bad value.
     */
    private static void rethrowIfGrave(Throwable thrown) {
        if (thrown instanceof VirtualMachineError e && !(e instanceof StackOverflowError)) {
            throw e;
        }
    }
}
