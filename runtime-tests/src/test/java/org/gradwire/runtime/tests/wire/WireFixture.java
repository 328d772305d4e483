package org.gradwire.runtime.tests.wire;

import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.function.Defaults;
import org.gradwire.runtime.function.FunctionCodec;
import org.gradwire.runtime.function.FunctionTable;
import org.gradwire.runtime.tests.functions.Values;
import org.gradwire.runtime.wire.WireCodec;
import org.gradwire.runtime.wire.WireInput;
import org.gradwire.runtime.wire.WireOutput;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.CallInterceptor;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.jspecify.annotations.Nullable;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Encodes and decodes values as workers do, and compares the results. */
final class WireFixture {
    static final int DESTINATION = 3;
    static final int SOURCE = 5;

    private WireFixture() {}

    static FunctionTable functions() {
        return new FunctionTable(
                Stream.of(), new Defaults(Stream.of()), Values.class.getClassLoader());
    }

    static WireCodec codec(CallInterceptor... interceptors) {
        return new WireCodec(
                new org.gradwire.runtime.wire.Values(
                        List.of(
                                new FunctionCodec(
                                        functions(),
                                        (_, kind, name) -> functions().lookUp(kind, name))),
                        Values.class.getClassLoader()),
                List.of(interceptors));
    }

    static Message encode(WireCodec codec, @Nullable Object value) {
        WireOutput out = codec.begin(DESTINATION, false);
        try {
            out.writeValue(value);
            return out.toMessage(MessageTypes.UDF_CALL);
        } finally {
            codec.giveBack(out);
        }
    }

    static WireInput open(WireCodec codec, Message message) {
        WireInput body = codec.open(SOURCE, message).body();
        if (!WireInput.isHeavy(message)) {
            body.refuseHeavy();
        }
        return body;
    }

    static @Nullable Object roundTrip(WireCodec codec, @Nullable Object value) {
        return open(codec, encode(codec, value).copy(BufferAllocator.plain())).readValue();
    }

    /** {@return whether two values are equal in type and content, including arrays} */
    static boolean same(@Nullable Object a, @Nullable Object b) {
        if (a == null || b == null) {
            return Objects.equals(a, b);
        }
        if (a.getClass().isArray()) {
            return a.getClass() == b.getClass() && sameElements(a, b);
        }
        return switch (a) {
            case List<?> list -> b instanceof List<?> other && sameAll(list, other);
            case Map<?, ?> map -> b instanceof Map<?, ?> other && sameMap(map, other);
            case Optional<?> o ->
                    b instanceof Optional<?> other && same(o.orElse(null), other.orElse(null));
            case WorkerInfo w -> w.equals(b);
            case Record r -> b instanceof Record other && sameRecord(r, other);
            default -> a.equals(b) && (a.getClass() == b.getClass() || a instanceof Set);
        };
    }

    private static boolean sameElements(Object a, Object b) {
        if (Array.getLength(a) != Array.getLength(b)) {
            return false;
        }
        for (int i = 0; i < Array.getLength(a); i++) {
            if (!same(Array.get(a, i), Array.get(b, i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean sameAll(Iterable<?> a, Iterable<?> b) {
        Iterator<?> others = b.iterator();
        for (Object element : a) {
            if (!others.hasNext() || !same(element, others.next())) {
                return false;
            }
        }
        return !others.hasNext();
    }

    /** {@return whether two maps are equal, with their order; keys have value equality} */
    private static boolean sameMap(Map<?, ?> a, Map<?, ?> b) {
        return sameAll(a.keySet(), b.keySet()) && sameAll(a.values(), b.values());
    }

    private static boolean sameRecord(Record a, Record b) {
        return a.getClass() == b.getClass()
                && Arrays.stream(a.getClass().getRecordComponents())
                        .allMatch(component -> {
                            try {
                                component.getAccessor().setAccessible(true);
                                return same(
                                        component.getAccessor().invoke(a),
                                        component.getAccessor().invoke(b));
                            } catch (ReflectiveOperationException e) {
                                throw new IllegalStateException(e);
                            }
                        });
    }
}
