package org.gradwire.backend.faulty;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.Settings;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** The minimum and maximum delay of a message. */
record Delay(Duration least, Duration most) {

    static Delay of(Duration fixed) {
        return new Delay(fixed, fixed);
    }

    static Delay parse(Settings settings, String key, String word) {
        String[] parts = word.split(":", 2);
        if (parts.length < 2) {
            throw new RpcConfigurationException(
                    "%s holds '%s', which must have the form TYPE:DELAY, such as UDF_CALL:1.5s, or UDF_CALL:10ms..50ms for a random one"
                            .formatted(key, word));
        }
        String[] ends = parts[1].split("\\.\\.", 2);
        Duration least = duration(settings, key, word, ends[0].strip());
        Duration most = ends.length < 2 ? least : duration(settings, key, word, ends[1].strip());
        if (most.compareTo(least) < 0) {
            throw new RpcConfigurationException(
                    "%s holds '%s', whose delay must be from the shorter to the longer one, such as UDF_CALL:10ms..50ms"
                            .formatted(key, word));
        }
        return new Delay(least, most);
    }

    private static Duration duration(Settings settings, String key, String word, String text) {
        boolean negative = text.startsWith("-");
        Duration delay = negative ? Duration.ZERO : settings.parseDuration(key, text);
        if (negative || delay.isNegative()) {
            throw new RpcConfigurationException(
                    "a delay must be zero or more, but %s holds '%s'".formatted(key, word));
        }
        return delay;
    }

    /** {@return a random delay, in nanoseconds} */
    long nanos(RandomGenerator random) {
        return least.equals(most)
                ? least.toNanos()
                : random.nextLong(least.toNanos(), most.toNanos() + 1);
    }

    /** {@return a duration in the format of settings} */
    static String text(Duration duration) {
        boolean isWhole = duration.equals(Duration.ofMillis(duration.toMillis()));
        return isWhole ? duration.toMillis() + "ms" : duration.toString();
    }

    @Override
    public String toString() {
        return least.equals(most) ? text(least) : text(least) + ".." + text(most);
    }
}
