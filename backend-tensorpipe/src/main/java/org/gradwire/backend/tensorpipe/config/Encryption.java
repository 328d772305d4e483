package org.gradwire.backend.tensorpipe.config;

import org.gradwire.spi.Settings;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The extent of a worker's encryption. */
public enum Encryption {
    /** Nothing. */
    NONE,

    /** All that does not go through shared memory: datagrams and buffers over TCP. */
    NETWORK,

    /** All that goes to other workers: those of this host are reached over the network too. */
    ALL;

    /**
     * {@return the choice in the settings; without one, {@link #NETWORK} where there is a token or
     * a certificate}
     */
    static Encryption read(Settings settings, boolean hasCertificate) {
        boolean hasToken = settings.find(Settings.AUTHENTICATION_TOKEN).isPresent();
        if (settings.find(SettingKeys.ENCRYPTION).isEmpty()) {
            return hasToken || hasCertificate ? NETWORK : NONE;
        }
        Encryption choice = choice(settings);
        if (!choice.isSealed() && hasCertificate) {
            throw settings.wrong(
                    SettingKeys.ENCRYPTION,
                    "network or all where workers have certificates, which prove nothing in plain text; omit %s"
                            .formatted(Settings.CERTIFICATE));
        }
        if (choice.isSealed() && !hasToken && !hasCertificate) {
            throw settings.wrong(
                    SettingKeys.ENCRYPTION,
                    "none where the group has neither a token nor certificates, from which the keys follow; set a token for all workers with %s-file"
                            .formatted(Settings.AUTHENTICATION_TOKEN));
        }
        return choice;
    }

    private static Encryption choice(Settings settings) {
        List<String> texts = Stream.of(NETWORK, ALL, NONE).map(Encryption::text).toList();
        return of(settings.choice(SettingKeys.ENCRYPTION, texts)).orElseThrow();
    }

    /** {@return the extent with a value of the setting; empty if there is none} */
    public static Optional<Encryption> of(String text) {
        return Stream.of(values()).filter(each -> each.text().equals(text)).findFirst();
    }

    /** {@return the value of the setting} */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** {@return whether what goes over the network is encrypted} */
    public boolean isSealed() {
        return this != NONE;
    }
}
