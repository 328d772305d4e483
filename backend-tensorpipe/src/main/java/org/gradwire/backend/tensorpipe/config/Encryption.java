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
     * {@return the choice in the settings; without one, {@link #NETWORK} where there is a token}
     */
    static Encryption read(Settings settings) {
        boolean hasToken = settings.find(Settings.AUTHENTICATION_TOKEN).isPresent();
        if (settings.find(SettingKeys.ENCRYPTION).isEmpty()) {
            return hasToken ? NETWORK : NONE;
        }
        List<String> choices = List.of(NETWORK.text(), NONE.text());
        String chosen = settings.choice(SettingKeys.ENCRYPTION, choices);
        if (chosen.equals(NONE.text())) {
            return NONE;
        }
        if (!hasToken) {
            throw settings.wrong(
                    SettingKeys.ENCRYPTION,
                    "none where the group has no token, from which the keys follow; set one for all workers with %s-file"
                            .formatted(Settings.AUTHENTICATION_TOKEN));
        }
        return NETWORK;
    }

    /** {@return the value of the setting} */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
