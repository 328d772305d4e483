package com.example.socket;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.Setting;
import org.gradwire.spi.Settings;

import java.time.Duration;
import java.util.List;

/**
 * The validated settings of an agent.
 *
 * @param host host at which it listens, and which it publishes
 * @param liveness time without data after which a peer is lost
 * @param connectTimeout time to connect to the members of the group
 * @param sendQueueBytes maximum number of bytes queued for one peer
 * @param maxMessageBytes maximum size of a message in bytes
 * @param token token that all workers of the group share; empty if there is none
 */
record Options(
        String host,
        Duration liveness,
        Duration connectTimeout,
        long sendQueueBytes,
        long maxMessageBytes,
        String token) {
    private static final String HOST = "gradwire.socket.host";
    private static final String LIVENESS = "gradwire.socket.liveness";
    private static final String CONNECT_TIMEOUT = "gradwire.socket.connect-timeout";
    private static final String SEND_QUEUE_BYTES = "gradwire.socket.send-queue-bytes";
    static final String MAX_MESSAGE_BYTES = "gradwire.socket.max-message-bytes";

    static final List<Setting> SETTINGS =
            List.of(
                    new Setting(
                            HOST,
                            "127.0.0.1",
                            "Address at which this worker listens, and which its peers connect to."),
                    new Setting(
                            LIVENESS, "5s", "Time without data after which a peer counts as lost."),
                    new Setting(CONNECT_TIMEOUT, "60s", "Time to connect to all peers."),
                    new Setting(
                            SEND_QUEUE_BYTES,
                            "1g",
                            "Maximum number of bytes queued for one peer; a message above it is"
                                    + " refused."),
                    new Setting(
                            MAX_MESSAGE_BYTES,
                            "2g",
                            "Maximum size of a message's payload and buffers in bytes, sent or received."));

    private static final Duration LEAST_TIME = Duration.ofMillis(100);
    private static final Duration MOST_TIME = Duration.ofDays(1);

    static Options read(Settings settings) {
        return new Options(
                settings.text(HOST).strip(),
                time(settings, LIVENESS),
                time(settings, CONNECT_TIMEOUT),
                size(settings, SEND_QUEUE_BYTES),
                size(settings, MAX_MESSAGE_BYTES),
                settings.find(Settings.AUTHENTICATION_TOKEN).orElse(""));
    }

    private static Duration time(Settings settings, String key) {
        Duration time = settings.duration(key);
        if (time.compareTo(LEAST_TIME) < 0 || time.compareTo(MOST_TIME) > 0) {
            throw wrong(settings, key, "from 100ms to a day");
        }
        return time;
    }

    private static long size(Settings settings, String key) {
        long bytes = settings.bytes(key);
        if (bytes < 1) {
            throw wrong(settings, key, "a size from 1 upwards");
        }
        return bytes;
    }

    private static RpcConfigurationException wrong(Settings settings, String key, String expected) {
        return new RpcConfigurationException(
                "%s=%s (from %s) must be %s"
                        .formatted(key, settings.text(key), settings.origin(key), expected));
    }

    /** {@return the heartbeat interval of an idle connection} */
    Duration heartbeat() {
        return liveness.dividedBy(4);
    }
}
