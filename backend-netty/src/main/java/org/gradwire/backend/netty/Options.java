package org.gradwire.backend.netty;

import org.gradwire.spi.Settings;
import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * The settings of one agent, read and checked.
 *
 * @param host to listen at
 * @param token of the group, empty for none
 * @param tls null when messages are not encrypted
 */
record Options(
        ListeningHost host,
        int port,
        Token token,
        @Nullable Tls tls,
        long livenessNanos,
        long connectTimeoutNanos,
        long sendQueueBytes,
        long maxMessageBytes,
        long receiveBytes) {

    private static final int MAX_PORT = 65_535;
    private static final long MAX_MESSAGE = 1L << 31;
    private static final Duration LEAST_TIME = Duration.ofMillis(100);

    /** Read the settings. */
    static Options read(Settings settings) {
        Tls tls = Tls.read(settings);
        boolean isPlainAllowed = settings.flag(Keys.PLAIN);
        return new Options(
                ListeningHost.of(settings, tls != null || isPlainAllowed),
                settings.integer(Keys.PORT, 0, MAX_PORT),
                new Token(settings.find(Settings.AUTHENTICATION_TOKEN).orElse("")),
                tls,
                nanos(settings, Keys.LIVENESS),
                nanos(settings, Keys.CONNECT_TIMEOUT),
                bytes(settings, Keys.SEND_QUEUE_BYTES, Long.MAX_VALUE),
                bytes(settings, Keys.MAX_MESSAGE_BYTES, MAX_MESSAGE),
                bytes(settings, Keys.RECEIVE_BYTES, Long.MAX_VALUE));
    }

    private static long nanos(Settings settings, String key) {
        return settings.duration(key, LEAST_TIME).toNanos();
    }

    private static long bytes(Settings settings, String key, long most) {
        long bytes = settings.bytes(key);
        if (bytes < 1 || bytes > most) {
            throw settings.wrong(
                    key, "a size from 1" + (most == MAX_MESSAGE ? " to 2g" : " upwards"));
        }
        return bytes;
    }
}
