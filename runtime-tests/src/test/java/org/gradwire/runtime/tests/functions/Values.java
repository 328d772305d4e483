package org.gradwire.runtime.tests.functions;

import org.gradwire.rpc.WireValue;
import org.gradwire.rpc.WorkerInfo;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Wire values, and similar types that cannot be sent. */
public final class Values {
    private Values() {}

    @WireValue
    public record Point(int x, double y) {}

    @WireValue
    public record Empty() {}

    /** A value that counts its encodings. */
    @WireValue
    public record Counted(int value) {
        public static final AtomicInteger ENCODED = new AtomicInteger();

        @Override
        public int value() {
            ENCODED.incrementAndGet();
            return value;
        }
    }

    /** An enum with a constant body, which is a separate class. */
    @WireValue
    public enum Color {
        RED,
        GREEN {
            @Override
            public int shade() {
                return 2;
            }
        },
        BLUE;

        public int shade() {
            return 1;
        }
    }

    /** A record with a component of each kind. */
    @WireValue
    public record Everything(
            boolean flag,
            byte small,
            short less,
            int number,
            long large,
            float real,
            double precise,
            char letter,
            @Nullable Integer boxed,
            @Nullable String text,
            @Nullable Object anything,
            List<@Nullable Object> list,
            Set<Long> set,
            Map<String, Color> map,
            Optional<Point> point,
            Color color,
            @Nullable WorkerInfo worker) {}

    /** A record whose constructor throws an OutOfMemoryError on a test's request. */
    @WireValue
    public record Fragile(int number) {
        private static final AtomicBoolean BREAK = new AtomicBoolean();

        public Fragile {
            if (BREAK.getAndSet(false)) {
                throw new OutOfMemoryError("out of memory, for a test");
            }
        }

        public static void breakNext() {
            BREAK.set(true);
        }
    }

    /** A record whose constructor refuses some values. */
    @WireValue
    public record Positive(int value) {
        public Positive {
            if (value <= 0) {
                throw new IllegalArgumentException(value + " is not positive");
            }
        }
    }

    /** A record whose decoding throws an error. */
    @WireValue
    public record Explosive(int code) {
        public Explosive {
            if (code == 1) {
                throw new AssertionError("exploded");
            }
        }

        @Override
        public int hashCode() {
            if (code == 2) {
                throw new IllegalStateException("no hash");
            }
            return code;
        }
    }

    /** A record whose encoding throws an error. */
    @WireValue
    public record Shy(int value) {
        @Override
        public int value() {
            throw new AssertionError("not telling");
        }
    }

    public record Unmarked(int value) {}

    @WireValue
    @SuppressWarnings("gradwire") // refused when it is sent
    record NotPublic(int value) {}

    /** {@return a value of a type that is not public} */
    public static Object notPublic() {
        return new NotPublic(1);
    }

    @WireValue
    @SuppressWarnings("gradwire") // refused when it is sent
    public static final class NoRecord {
        public NoRecord() {}
    }

    public enum UnmarkedEnum {
        ONE
    }
}
