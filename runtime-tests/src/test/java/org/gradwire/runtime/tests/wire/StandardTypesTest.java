package org.gradwire.runtime.tests.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.runtime.wire.WireCodec;
import org.gradwire.runtime.wire.WireInput;
import org.gradwire.runtime.wire.WireOutput;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Output;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Round trips of the JDK's time and number types, within limits. */
class StandardTypesTest {
    private static final int CODEC = 20;
    private static final BigInteger LARGEST = BigInteger.ONE.shiftLeft(16_384 * 8 - 1);

    private final WireCodec codec = WireFixture.codec();

    static Stream<Object> values() {
        return Stream.of(
                Instant.MIN,
                Instant.MAX,
                Instant.EPOCH.minusNanos(1),
                Duration.ofSeconds(Long.MIN_VALUE),
                Duration.ofSeconds(Long.MAX_VALUE, 999_999_999),
                LocalDate.MIN,
                LocalDate.MAX,
                LocalTime.MIDNIGHT,
                LocalTime.MAX,
                LocalDateTime.MIN,
                LocalDateTime.MAX,
                OffsetDateTime.MIN,
                OffsetDateTime.MAX,
                // Both instants of an hour that a clock change repeats.
                ZonedDateTime.ofLocal(
                        LocalDateTime.parse("2026-10-25T02:30"),
                        ZoneId.of("Europe/Vienna"),
                        ZoneOffset.ofHours(1)),
                ZonedDateTime.ofLocal(
                        LocalDateTime.parse("2026-10-25T02:30"),
                        ZoneId.of("Europe/Vienna"),
                        ZoneOffset.ofHours(2)),
                new UUID(Long.MIN_VALUE, -1),
                BigInteger.ZERO,
                LARGEST.subtract(BigInteger.ONE),
                LARGEST.negate(),
                new BigDecimal("1.10"),
                new BigDecimal(BigInteger.ONE, 65_536),
                new BigDecimal(LARGEST.negate(), -65_536));
    }

    @ParameterizedTest
    @MethodSource("values")
    void valueArrivesEqual(Object value) {
        Message message = WireFixture.encode(codec, value);
        assertFalse(WireInput.isHeavy(message), "a poller may read it");
        assertEquals(value, WireFixture.roundTrip(codec, value));
    }

    @ParameterizedTest
    @MethodSource("tooLarge")
    void numberOutsideTheLimitsIsRefused(Object number, String text) {
        var refused =
                assertThrows(TypeMismatchException.class, () -> WireFixture.encode(codec, number));
        assertEquals(text, refused.getMessage());
    }

    static Stream<Arguments> tooLarge() {
        String bytes =
                "a number of 16385 bytes cannot be sent, only one of at most 16384; send its bytes or its text";
        String scale =
                "a BigDecimal of scale %d cannot be sent, only one from -65536 to 65536; round it, or send its text";
        return Stream.of(
                Arguments.of(LARGEST, bytes),
                Arguments.of(new BigDecimal(LARGEST), bytes),
                Arguments.of(new BigDecimal(BigInteger.ONE, 65_537), scale.formatted(65_537)),
                Arguments.of(
                        new BigDecimal(BigInteger.ONE, Integer.MIN_VALUE),
                        scale.formatted(Integer.MIN_VALUE)));
    }

    private Message hostile(String tag, Consumer<Output> content) {
        WireOutput out = codec.begin(WireFixture.DESTINATION, false);
        try {
            out.writeInt(CODEC);
            out.writeBytes(tag.getBytes(StandardCharsets.UTF_8));
            content.accept(out);
            return out.toMessage(MessageTypes.UDF_CALL);
        } finally {
            codec.giveBack(out);
        }
    }

    private void refuse(String tag, Consumer<Output> content) {
        Message message = hostile(tag, content).copy(BufferAllocator.plain());
        assertThrows(
                DecodingException.class, () -> WireFixture.open(codec, message).readValue(), tag);
    }

    @Test
    void malformedValueIsRefused() {
        for (int nanos : new int[] {-1, 1_000_000_000, Integer.MIN_VALUE}) {
            for (String tag : List.of("instant", "duration")) {
                refuse(
                        tag,
                        out -> {
                            out.writeLong(0);
                            out.writeInt(nanos);
                        });
            }
        }
        for (long number : new long[] {Long.MIN_VALUE, Long.MAX_VALUE}) {
            refuse("date", out -> out.writeLong(number));
            refuse("time", out -> out.writeLong(number));
            refuse(
                    "instant",
                    out -> {
                        out.writeLong(number);
                        out.writeInt(0);
                    });
        }
        for (int scale : new int[] {65_537, -65_537, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            refuse(
                    "big-decimal",
                    out -> {
                        out.writeInt(scale);
                        out.writeBytes(new byte[] {1});
                    });
        }
        for (int length : new int[] {0, 16_385}) {
            refuse("big-integer", out -> out.writeBytes(new byte[length]));
        }
        for (String zone : List.of("", "Nowhere/Land", "x".repeat(65), "\n")) {
            refuse(
                    "zoned-date-time",
                    out -> {
                        out.writeLong(0);
                        out.writeLong(0);
                        out.writeInt(0);
                        out.writeString(zone);
                    });
        }
        refuse(
                "offset-date-time",
                out -> {
                    out.writeLong(0);
                    out.writeLong(0);
                    out.writeInt(64_801);
                });
    }

    @Test
    void instantIsPreservedIfTheRulesOfAZoneDiffer() {
        Message message =
                hostile(
                        "zoned-date-time",
                        out -> {
                            out.writeLong(0);
                            out.writeLong(0);
                            out.writeInt(3600 * 5); // not an offset of this zone
                            out.writeString("Europe/Vienna");
                        });
        ZonedDateTime value =
                assertInstanceOf(
                        ZonedDateTime.class,
                        WireFixture.open(codec, message.copy(BufferAllocator.plain())).readValue());
        assertEquals(Instant.parse("1969-12-31T19:00:00Z"), value.toInstant());
    }
}
