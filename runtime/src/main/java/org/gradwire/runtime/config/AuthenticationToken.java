package org.gradwire.runtime.config;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.Settings;

import java.util.Optional;

/** Reads the group's token from the settings: as text, or from a file. */
final class AuthenticationToken {
    private static final int MIN_LENGTH = 16;

    private AuthenticationToken() {}

    /**
     * {@return the token; empty if there is none}
     *
     * @throws RpcConfigurationException if the token is too short, its file is not trusted, or the
     *     two settings differ
     */
    static Optional<String> resolve(Settings settings) {
        Optional<String> text = settings.find(Settings.AUTHENTICATION_TOKEN);
        Optional<String> content =
                settings.find(RuntimeSettings.AUTHENTICATION_TOKEN_FILE)
                        .map(name -> tokenFile(settings, name).read());
        if (text.isPresent() && content.isPresent() && !text.equals(content)) {
            throw new RpcConfigurationException(
                    "%s (from %s) and the file of %s=%s (from %s) hold different tokens; set only one of them"
                            .formatted(
                                    Settings.AUTHENTICATION_TOKEN,
                                    settings.origin(Settings.AUTHENTICATION_TOKEN),
                                    RuntimeSettings.AUTHENTICATION_TOKEN_FILE,
                                    settings.text(RuntimeSettings.AUTHENTICATION_TOKEN_FILE),
                                    settings.origin(RuntimeSettings.AUTHENTICATION_TOKEN_FILE)));
        }
        Optional<String> token = content.or(() -> text);
        token.ifPresent(value -> requireLength(settings, value));
        return token;
    }

    private static TokenFile tokenFile(Settings settings, String name) {
        return new TokenFile(
                name,
                settings.origin(RuntimeSettings.AUTHENTICATION_TOKEN_FILE),
                System.getenv().getOrDefault("CREDENTIALS_DIRECTORY", ""));
    }

    private static void requireLength(Settings settings, String token) {
        if (token.length() < MIN_LENGTH) {
            String key =
                    settings.find(RuntimeSettings.AUTHENTICATION_TOKEN_FILE).isPresent()
                            ? RuntimeSettings.AUTHENTICATION_TOKEN_FILE
                            : Settings.AUTHENTICATION_TOKEN;
            throw new RpcConfigurationException(
                    "the token of %s (from %s) has %d characters and can be guessed; it must have at least %d: make one in a file, %s, and set %s=FILE"
                            .formatted(
                                    key,
                                    settings.origin(key),
                                    token.length(),
                                    MIN_LENGTH,
                                    RuntimeSettings.TOKEN_RECIPE,
                                    RuntimeSettings.AUTHENTICATION_TOKEN_FILE));
        }
    }
}
