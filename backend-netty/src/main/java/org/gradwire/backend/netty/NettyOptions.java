package org.gradwire.backend.netty;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.PeerIdentity;
import org.gradwire.spi.Settings;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;

/**
 * The settings of an agent, read and checked.
 *
 * @param sharedSecret of the group, empty for none
 * @param tls null when messages are not encrypted
 */
record NettyOptions(
        ListeningHost host,
        int port,
        SharedSecret sharedSecret,
        @Nullable Tls tls,
        long livenessNanos,
        long connectTimeoutNanos,
        MessageLimits limits) {

    private static final String NETWORK = "network";
    private static final String ALL = "all";
    private static final String NONE = "none";
    private static final int MAX_PORT = 65_535;
    private static final long MAX_MESSAGE = 1L << 31;
    private static final Duration LEAST_TIME = Duration.ofMillis(100);

    /**
     * Read the settings of an agent.
     *
     * @param worker its name
     */
    static NettyOptions read(Settings settings, String worker) {
        Tls tls = Tls.read(settings, worker);
        boolean isPlainAllowed = settings.flag(SettingKeys.PLAIN);
        checkEncryption(settings, tls != null, isPlainAllowed);
        return new NettyOptions(
                ListeningHost.of(settings, tls != null || isPlainAllowed),
                settings.integer(SettingKeys.PORT, 0, MAX_PORT),
                new SharedSecret(settings.find(Settings.AUTHENTICATION_TOKEN).orElse("")),
                tls,
                nanos(settings, SettingKeys.LIVENESS),
                nanos(settings, SettingKeys.CONNECT_TIMEOUT),
                new MessageLimits(
                        bytes(settings, SettingKeys.SEND_QUEUE_BYTES, Long.MAX_VALUE),
                        bytes(settings, SettingKeys.MAX_MESSAGE_BYTES, MAX_MESSAGE),
                        bytes(settings, SettingKeys.RECEIVE_BYTES, Long.MAX_VALUE)));
    }

    /** TLS covers all connections, those within a host too: with it, network and all are equal. */
    private static void checkEncryption(Settings settings, boolean hasTls, boolean isPlainAllowed) {
        if (settings.find(Settings.ENCRYPTION).isEmpty()) {
            return;
        }
        String choice = settings.choice(Settings.ENCRYPTION, List.of(NETWORK, ALL, NONE));
        if (hasTls) {
            return;
        }
        if (choice.equals(ALL)) {
            throw wrongWithoutCertificates(settings, "network or none where", "");
        }
        if (choice.equals(NETWORK) && isPlainAllowed) {
            throw wrongWithoutCertificates(
                    settings,
                    "none where %s=true and".formatted(SettingKeys.PLAIN),
                    ", or %s=false".formatted(SettingKeys.PLAIN));
        }
    }

    private static RpcConfigurationException wrongWithoutCertificates(
            Settings settings, String expected, String otherwise) {
        return settings.wrong(
                Settings.ENCRYPTION,
                "%s workers of the backend netty have no certificates, without which nothing is encrypted: set %s, %s and %s%s"
                        .formatted(
                                expected,
                                Settings.CERTIFICATE,
                                Settings.PRIVATE_KEY,
                                Settings.TRUST,
                                otherwise));
    }

    /** {@return the proof that a peer needs before its messages are accepted} */
    PeerIdentity.Authentication authentication() {
        if (tls != null) {
            return PeerIdentity.Authentication.CERTIFICATE;
        }
        return sharedSecret.isSet()
                ? PeerIdentity.Authentication.TOKEN
                : PeerIdentity.Authentication.NONE;
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
