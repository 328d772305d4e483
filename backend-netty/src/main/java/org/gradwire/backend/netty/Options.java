package org.gradwire.backend.netty;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.Settings;
import org.jspecify.annotations.Nullable;

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
    private static final long MIN_NANOS = 100_000_000L;

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
        long nanos = settings.duration(key).toNanos();
        if (nanos < MIN_NANOS) {
            throw wrong(settings, key, "100ms or more");
        }
        return nanos;
    }

    private static long bytes(Settings settings, String key, long most) {
        long bytes = settings.bytes(key);
        if (bytes < 1 || bytes > most) {
            throw wrong(
                    settings, key, "a size from 1" + (most == MAX_MESSAGE ? " to 2g" : " upwards"));
        }
        return bytes;
    }

    /** {@return the failure of a setting whose value is not what was expected} */
    static RpcConfigurationException wrong(Settings settings, String key, String expected) {
        return new RpcConfigurationException(
                "%s=%s (from %s) must be %s"
                        .formatted(key, settings.text(key), settings.origin(key), expected));
    }
}
