package org.gradwire.backend.tensorpipe.config;

import org.gradwire.spi.Settings;

import java.util.List;
import java.util.Locale;

/** The extent of a worker's encryption. */
public enum Encryption {
    /** Nothing. */
    NONE,

    /** All that does not go through shared memory: datagrams and buffers over TCP. */
    NETWORK;

    /**
     * {@return the choice in the settings; without one, {@link #NETWORK} where there is a token or
     * a certificate}
     */
    static Encryption read(Settings settings, boolean hasCertificate) {
        boolean hasToken = settings.find(Settings.AUTHENTICATION_TOKEN).isPresent();
        if (settings.find(SettingKeys.ENCRYPTION).isEmpty()) {
            return hasToken || hasCertificate ? NETWORK : NONE;
        }
        List<String> choices = List.of(NETWORK.text(), NONE.text());
        boolean isNone = settings.choice(SettingKeys.ENCRYPTION, choices).equals(NONE.text());
        if (isNone && hasCertificate) {
            throw settings.wrong(
                    SettingKeys.ENCRYPTION,
                    "network where workers have certificates, which prove nothing in plain text; omit %s"
                            .formatted(Settings.CERTIFICATE));
        }
        if (!isNone && !hasToken && !hasCertificate) {
            throw settings.wrong(
                    SettingKeys.ENCRYPTION,
                    "none where the group has neither a token nor certificates, from which the keys follow; set a token for all workers with %s-file"
                            .formatted(Settings.AUTHENTICATION_TOKEN));
        }
        return isNone ? NONE : NETWORK;
    }

    /** {@return the value of the setting} */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
