package org.gradwire.store.etcd;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.Setting;
import org.gradwire.spi.Settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The settings of the store.
 *
 * @param password empty without a user
 * @param timeToLive of the entry that shows that a worker runs
 * @param requestTimeout of one attempt at one endpoint
 */
record EtcdSettings(
        Optional<String> user, String password, Duration timeToLive, Duration requestTimeout) {
    static final String MEMBER_LEASE = "gradwire.member-lease"; // of the runtime
    static final String MEMBER_LEASE_DEFAULT = "15s";
    static final String USER = "gradwire.etcd.user";
    static final String PASSWORD_FILE = "gradwire.etcd.password-file";
    static final String TRUST = "gradwire.etcd.trust";
    static final String TIME_TO_LIVE = "gradwire.etcd.time-to-live";
    static final String REQUEST_TIMEOUT = "gradwire.etcd.request-timeout";

    static final List<Setting> ALL =
            List.of(
                    new Setting(USER, "", "Name of the user at etcd; empty: none."),
                    new Setting(PASSWORD_FILE, "", "File with the password of the user at etcd."),
                    new Setting(
                            TRUST,
                            "",
                            "PEM file with the authorities of etcd's certificates, for etcds://. If it is empty, the worker's gradwire.trust counts, or that of the JVM."),
                    new Setting(
                            TIME_TO_LIVE,
                            "10s",
                            "Time after which a worker that no longer reaches etcd counts as ended, from 2s to 1h; a job with the name of one that crashed may wait this long."),
                    new Setting(
                            REQUEST_TIMEOUT,
                            "3s",
                            "Time after which a request to one member of etcd is sent to the next one, from 100ms to 30s."));

    private static final Duration LEAST_LIFE = Duration.ofSeconds(2);
    private static final Duration MOST_LIFE = Duration.ofHours(1);
    private static final Duration LEAST_TIMEOUT = Duration.ofMillis(100);
    private static final Duration MOST_TIMEOUT = Duration.ofSeconds(30);
    private static final int MAX_PASSWORD_BYTES = 4096;

    static EtcdSettings read(Settings settings) {
        Optional<String> user = settings.find(USER).filter(text -> !text.isBlank());
        Optional<String> file = settings.find(PASSWORD_FILE).filter(text -> !text.isBlank());
        if (user.isPresent() != file.isPresent()) {
            throw new RpcConfigurationException(
                    "%s and %s must be set together".formatted(USER, PASSWORD_FILE));
        }
        return new EtcdSettings(
                user,
                file.map(EtcdSettings::password).orElse(""),
                duration(settings, TIME_TO_LIVE, LEAST_LIFE, MOST_LIFE),
                duration(settings, REQUEST_TIMEOUT, LEAST_TIMEOUT, MOST_TIMEOUT));
    }

    private static Duration duration(Settings settings, String key, Duration least, Duration most) {
        Duration value = settings.duration(key, least);
        if (value.compareTo(most) > 0) {
            throw settings.wrong(key, most.toMillis() + "ms or less");
        }
        return value;
    }

    private static String password(String file) {
        try {
            Path path = Path.of(file);
            if (Files.size(path) > MAX_PASSWORD_BYTES) {
                throw new RpcConfigurationException(
                        "%s=%s has more than %d bytes; expected a password"
                                .formatted(PASSWORD_FILE, file, MAX_PASSWORD_BYTES));
            }
            return Files.readString(path).strip();
        } catch (IOException | IllegalArgumentException e) {
            throw new RpcConfigurationException(
                    "%s=%s cannot be read: %s".formatted(PASSWORD_FILE, file, e), e);
        }
    }

    @Override
    public String toString() {
        return "EtcdSettings[user=%s, timeToLive=%s, requestTimeout=%s]"
                .formatted(user.orElse(""), timeToLive, requestTimeout); // without the password
    }
}
