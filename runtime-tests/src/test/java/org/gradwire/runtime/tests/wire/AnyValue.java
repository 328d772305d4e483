package org.gradwire.runtime.tests.wire;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.tests.functions.Values.Color;
import org.gradwire.runtime.tests.functions.Values.Empty;
import org.gradwire.runtime.tests.functions.Values.Everything;
import org.gradwire.runtime.tests.functions.Values.Point;
import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Random values of all wire types. */
final class AnyValue {
    private static final int DEPTH = 3;

    private AnyValue() {}

    static Arbitrary<@Nullable Object> any() {
        return nested(DEPTH);
    }

    /** Strings of any characters, including lone surrogates. */
    static Arbitrary<String> texts() {
        return Arbitraries.oneOf(
                Arbitraries.strings().ofMaxLength(20),
                Arbitraries.strings().all().ofMaxLength(20),
                Arbitraries.integers()
                        .between(0, Character.MAX_CODE_POINT)
                        .array(int[].class)
                        .ofMaxSize(10)
                        .map(points -> new String(points, 0, points.length)),
                Arbitraries.of("", "\0", "\uD800", "\uDC00x", "a\uDBFF", "\uD83D\uDE00", "?"));
    }

    /** Values of the JDK's types of time and numbers. */
    private static Arbitrary<@Nullable Object> standard() {
        Arbitrary<Instant> instants =
                Combinators.combine(
                                Arbitraries.longs()
                                        .between(
                                                Instant.MIN.getEpochSecond(),
                                                Instant.MAX.getEpochSecond()),
                                Arbitraries.integers().between(0, 999_999_999))
                        .as(Instant::ofEpochSecond);
        // No offset moves one of these out of the range of years.
        Arbitrary<LocalDateTime> times =
                Arbitraries.longs()
                        .between(-1_000_000_000_000L, 1_000_000_000_000L)
                        .flatMap(seconds ->
                                Arbitraries.integers()
                                        .between(0, 999_999_999)
                                        .map(nanos ->
                                                LocalDateTime.ofEpochSecond(
                                                        seconds, nanos, ZoneOffset.UTC)));
        Arbitrary<BigInteger> integers =
                Arbitraries.oneOf(
                        Arbitraries.bigIntegers(),
                        Arbitraries.bytes()
                                .array(byte[].class)
                                .ofMinSize(1)
                                .ofMaxSize(40)
                                .map(BigInteger::new));
        return Arbitraries.oneOf(
                List.of(
                        instants.asGeneric(),
                        Combinators.combine(
                                        Arbitraries.longs(),
                                        Arbitraries.integers().between(0, 999_999_999))
                                .as((seconds, nanos) -> Duration.ofSeconds(seconds, nanos))
                                .asGeneric(),
                        times.asGeneric(),
                        times.map(LocalDateTime::toLocalDate).asGeneric(),
                        times.map(LocalDateTime::toLocalTime).asGeneric(),
                        Combinators.combine(times, Arbitraries.integers().between(-64_800, 64_800))
                                .as((time, seconds) ->
                                        OffsetDateTime.of(time, ZoneOffset.ofTotalSeconds(seconds)))
                                .asGeneric(),
                        Combinators.combine(
                                        times,
                                        Arbitraries.of(
                                                "UTC",
                                                "Z",
                                                "+05:30",
                                                "Europe/Vienna",
                                                "America/New_York",
                                                "UTC+01:00"))
                                .as((time, zone) -> time.atZone(ZoneId.of(zone)))
                                .asGeneric(),
                        Combinators.combine(Arbitraries.longs(), Arbitraries.longs())
                                .as(UUID::new)
                                .asGeneric(),
                        integers.asGeneric(),
                        Combinators.combine(
                                        integers, Arbitraries.integers().between(-65_536, 65_536))
                                .as(BigDecimal::new)
                                .asGeneric()));
    }

    /** Values with value equality, for keys of maps and elements of sets. */
    private static Arbitrary<@Nullable Object> scalars() {
        return Arbitraries.oneOf(
                List.of(
                        standard(),
                        Arbitraries.just(null),
                        Arbitraries.of(true, false).asGeneric(),
                        Arbitraries.bytes().asGeneric(),
                        Arbitraries.shorts().asGeneric(),
                        Arbitraries.integers().asGeneric(),
                        Arbitraries.longs().asGeneric(),
                        Arbitraries.floats().asGeneric(),
                        Arbitraries.of(
                                        Float.NaN,
                                        Float.NEGATIVE_INFINITY,
                                        -0f,
                                        Float.MIN_VALUE,
                                        Float.intBitsToFloat(0x7fa00001))
                                .asGeneric(),
                        Arbitraries.doubles().asGeneric(),
                        Arbitraries.of(
                                        Double.NaN,
                                        Double.POSITIVE_INFINITY,
                                        -0d,
                                        Double.MAX_VALUE,
                                        Double.longBitsToDouble(0x7ff4000000000001L))
                                .asGeneric(),
                        Arbitraries.chars().all().asGeneric(),
                        texts().asGeneric(),
                        Arbitraries.of(Color.class).asGeneric(),
                        Combinators.combine(Arbitraries.integers(), Arbitraries.doubles())
                                .as(Point::new)
                                .asGeneric(),
                        Arbitraries.just(new Empty()).asGeneric(),
                        Combinators.combine(
                                        Arbitraries.integers(),
                                        Arbitraries.strings().alpha().ofMaxLength(9))
                                .as(WorkerInfo::new)
                                .asGeneric()));
    }

    private static Arbitrary<@Nullable Object> nested(int depth) {
        if (depth == 0) {
            return scalars();
        }
        Arbitrary<@Nullable Object> inner = Arbitraries.lazy(() -> nested(depth - 1));
        return Arbitraries.frequencyOf(
                Tuple.of(3, scalars()),
                Tuple.of(2, inner.list().ofMaxSize(5).asGeneric()),
                Tuple.of(1, sets(depth).asGeneric()),
                Tuple.of(1, Arbitraries.maps(scalars(), inner).ofMaxSize(5).asGeneric()),
                Tuple.of(1, inner.map(Optional::ofNullable).asGeneric()),
                Tuple.of(2, arrays().asGeneric()),
                Tuple.of(1, objectArrays(inner).asGeneric()),
                Tuple.of(1, everything(inner).asGeneric()));
    }

    private static Arbitrary<Set<@Nullable Object>> sets(int depth) {
        Arbitrary<@Nullable Object> hashable =
                depth == 1
                        ? scalars()
                        : Arbitraries.oneOf(
                                scalars(),
                                scalars().list().ofMaxSize(3).asGeneric(),
                                scalars().set().ofMaxSize(3).asGeneric());
        return hashable.set().ofMaxSize(5);
    }

    private static Arbitrary<Object> arrays() {
        return Arbitraries.oneOf(
                List.of(
                        Arbitraries.of(true, false).array(boolean[].class).asGeneric(),
                        Arbitraries.bytes().array(byte[].class).asGeneric(),
                        Arbitraries.shorts().array(short[].class).asGeneric(),
                        Arbitraries.chars().all().array(char[].class).asGeneric(),
                        Arbitraries.integers().array(int[].class).asGeneric(),
                        Arbitraries.longs().array(long[].class).asGeneric(),
                        Arbitraries.floats().array(float[].class).asGeneric(),
                        Arbitraries.doubles().array(double[].class).asGeneric()));
    }

    private static Arbitrary<Object> objectArrays(Arbitrary<@Nullable Object> inner) {
        return Arbitraries.oneOf(
                List.of(
                        inner.array(Object[].class).ofMaxSize(5).asGeneric(),
                        texts().array(String[].class).ofMaxSize(5).asGeneric(),
                        Arbitraries.integers()
                                .injectNull(0.2)
                                .array(Integer[].class)
                                .ofMaxSize(5)
                                .asGeneric(),
                        Arbitraries.longs().array(Long[].class).ofMaxSize(3).asGeneric(),
                        Arbitraries.doubles().array(Double[].class).ofMaxSize(3).asGeneric(),
                        Arbitraries.floats().array(Float[].class).ofMaxSize(3).asGeneric(),
                        Arbitraries.of(true, false).array(Boolean[].class).ofMaxSize(3).asGeneric(),
                        Arbitraries.of(Color.class).array(Color[].class).ofMaxSize(3).asGeneric(),
                        Combinators.combine(Arbitraries.integers(), Arbitraries.doubles())
                                .as(Point::new)
                                .array(Point[].class)
                                .ofMaxSize(3)
                                .asGeneric()));
    }

    private static Arbitrary<Everything> everything(Arbitrary<@Nullable Object> inner) {
        Arbitrary<Map<String, Color>> maps =
                Arbitraries.maps(texts(), Arbitraries.of(Color.class)).ofMaxSize(3);
        return Combinators.combine(
                        Arbitraries.longs(),
                        Arbitraries.doubles(),
                        texts().injectNull(0.2),
                        inner,
                        inner.list().ofMaxSize(3),
                        Arbitraries.longs().set().ofMaxSize(3),
                        maps,
                        Arbitraries.integers().injectNull(0.3))
                .as((bits, real, text, any, list, set, map, boxed) ->
                        new Everything(
                                bits > 0,
                                (byte) (bits >> 1),
                                (short) (bits >> 9),
                                (int) (bits >> 25),
                                bits,
                                (float) real.doubleValue(),
                                real,
                                (char) bits.longValue(),
                                boxed,
                                text,
                                any,
                                list,
                                set,
                                map,
                                boxed == null
                                        ? Optional.empty()
                                        : Optional.of(new Point(boxed, real)),
                                bits > 0 ? Color.RED : Color.GREEN,
                                boxed == null ? null : new WorkerInfo(boxed, "w" + boxed)));
    }

    /** {@return a readable form of a value, including arrays} */
    static String print(@Nullable Object value) {
        return switch (value) {
            case null -> "null";
            case Object[] array ->
                    Arrays.stream(array)
                            .map(AnyValue::print)
                            .collect(Collectors.joining(", ", "{", "}"));
            default -> value.toString();
        };
    }
}
