package org.gradwire.runtime.wire;

import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Input;
import org.gradwire.spi.Output;
import org.gradwire.spi.UntrustedText;
import org.gradwire.spi.ValueCodec;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
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
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Codecs of JDK types: dates and times, durations, identifiers, BigInteger and BigDecimal.
 *
 * <p>Numbers are limited on both sides: arithmetic with a number of large scale takes memory in
 * proportion to the scale, which a few bytes of a peer must not cause.
 */
final class StandardCodecs {
    /** Limit of bytes of a number's digits: some 39,000 decimal digits. */
    static final int MOST_NUMBER_BYTES = 16_384;

    static final int MOST_SCALE = 65_536;

    private static final int MOST_NANOS = 999_999_999;
    private static final int MOST_ZONE_CHARS = 64;

    static final List<ValueCodec<?>> ALL =
            List.of(
                    new Codec<>(
                            "instant",
                            Instant.class,
                            (value, out) ->
                                    writeSeconds(value.getEpochSecond(), value.getNano(), out),
                            in -> Instant.ofEpochSecond(in.readLong(), readNanos(in))),
                    new Codec<>(
                            "duration",
                            Duration.class,
                            (value, out) -> writeSeconds(value.getSeconds(), value.getNano(), out),
                            in -> Duration.ofSeconds(in.readLong(), readNanos(in))),
                    new Codec<>(
                            "date",
                            LocalDate.class,
                            (value, out) -> out.writeLong(value.toEpochDay()),
                            StandardCodecs::readDate),
                    new Codec<>(
                            "time",
                            LocalTime.class,
                            (value, out) -> out.writeLong(value.toNanoOfDay()),
                            StandardCodecs::readTime),
                    new Codec<>(
                            "date-time",
                            LocalDateTime.class,
                            StandardCodecs::writeDateTime,
                            StandardCodecs::readDateTime),
                    new Codec<>(
                            "offset-date-time",
                            OffsetDateTime.class,
                            (value, out) -> {
                                writeDateTime(value.toLocalDateTime(), out);
                                out.writeInt(value.getOffset().getTotalSeconds());
                            },
                            in -> OffsetDateTime.of(readDateTime(in), readOffset(in))),
                    new Codec<>(
                            "zoned-date-time",
                            ZonedDateTime.class,
                            (value, out) -> {
                                writeDateTime(value.toLocalDateTime(), out);
                                out.writeInt(value.getOffset().getTotalSeconds());
                                out.writeString(value.getZone().getId());
                            },
                            StandardCodecs::readZoned),
                    new Codec<>(
                            "uuid",
                            UUID.class,
                            (value, out) -> {
                                out.writeLong(value.getMostSignificantBits());
                                out.writeLong(value.getLeastSignificantBits());
                            },
                            in -> new UUID(in.readLong(), in.readLong())),
                    new Codec<>(
                            "big-integer",
                            BigInteger.class,
                            StandardCodecs::writeInteger,
                            StandardCodecs::readInteger),
                    new Codec<>(
                            "big-decimal",
                            BigDecimal.class,
                            StandardCodecs::writeDecimal,
                            StandardCodecs::readDecimal));

    private StandardCodecs() {}

    private record Codec<T>(
            String tag, Class<T> type, BiConsumer<T, Output> writer, Function<Input, T> reader)
            implements ValueCodec<T> {

        @Override
        public boolean runsOnPoller() {
            return true;
        }

        @Override
        public void encode(T value, Output out) {
            writer.accept(value, out);
        }

        @Override
        public T decode(Input in) {
            try {
                return reader.apply(in);
            } catch (DateTimeException | ArithmeticException e) {
                throw new DecodingException(
                        "a %s with the received fields does not exist: %s"
                                .formatted(
                                        type.getSimpleName(),
                                        UntrustedText.quote(String.valueOf(e.getMessage()))));
            }
        }
    }

    private static void writeSeconds(long seconds, int nanos, Output out) {
        out.writeLong(seconds);
        out.writeInt(nanos);
    }

    private static int readNanos(Input in) {
        int nanos = in.readInt();
        if (nanos < 0 || nanos > MOST_NANOS) {
            throw new DecodingException(nanos + " nanoseconds are not in 0 to " + MOST_NANOS);
        }
        return nanos;
    }

    private static LocalDate readDate(Input in) {
        return LocalDate.ofEpochDay(in.readLong());
    }

    private static LocalTime readTime(Input in) {
        return LocalTime.ofNanoOfDay(in.readLong());
    }

    private static void writeDateTime(LocalDateTime value, Output out) {
        out.writeLong(value.toLocalDate().toEpochDay());
        out.writeLong(value.toLocalTime().toNanoOfDay());
    }

    private static LocalDateTime readDateTime(Input in) {
        return LocalDateTime.of(readDate(in), readTime(in));
    }

    private static ZoneOffset readOffset(Input in) {
        return ZoneOffset.ofTotalSeconds(in.readInt());
    }

    /** The instant is preserved when the time zone rules of sender and receiver differ. */
    private static ZonedDateTime readZoned(Input in) {
        LocalDateTime time = readDateTime(in);
        ZoneOffset offset = readOffset(in);
        String zone = in.readString();
        if (zone.length() > MOST_ZONE_CHARS) {
            throw new DecodingException(
                    "the name of a time zone has more than %d characters: %s"
                            .formatted(MOST_ZONE_CHARS, UntrustedText.quote(zone)));
        }
        return ZonedDateTime.ofInstant(time, offset, ZoneId.of(zone));
    }

    private static void writeInteger(BigInteger value, Output out) {
        int length = value.bitLength() / Byte.SIZE + 1;
        if (length > MOST_NUMBER_BYTES) {
            throw new TypeMismatchException(
                    "a number of %d bytes cannot be sent, only one of at most %d; send its bytes or its text"
                            .formatted(length, MOST_NUMBER_BYTES));
        }
        out.writeBytes(value.toByteArray());
    }

    private static BigInteger readInteger(Input in) {
        byte[] bytes = in.readBytes();
        if (bytes.length == 0 || bytes.length > MOST_NUMBER_BYTES) {
            throw new DecodingException(
                    "a number of %d bytes, which are not 1 to %d"
                            .formatted(bytes.length, MOST_NUMBER_BYTES));
        }
        return new BigInteger(bytes);
    }

    private static void writeDecimal(BigDecimal value, Output out) {
        if (isLargeScale(value.scale())) {
            throw new TypeMismatchException(
                    "a BigDecimal of scale %d cannot be sent, only one from -%d to %d; round it, or send its text"
                            .formatted(value.scale(), MOST_SCALE, MOST_SCALE));
        }
        out.writeInt(value.scale());
        writeInteger(value.unscaledValue(), out);
    }

    private static BigDecimal readDecimal(Input in) {
        int scale = in.readInt();
        if (isLargeScale(scale)) {
            throw new DecodingException(
                    "the scale %d of a number is not in -%d to %d"
                            .formatted(scale, MOST_SCALE, MOST_SCALE));
        }
        return new BigDecimal(readInteger(in), scale);
    }

    private static boolean isLargeScale(int scale) {
        return scale > MOST_SCALE || scale < -MOST_SCALE;
    }
}
