package org.gradwire.spi;

import org.gradwire.rpc.RpcConfigurationException;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The settings of a worker, resolved from all their sources.
 *
 * <p>The typed readers throw {@link RpcConfigurationException} with the key, the value, its source
 * and the expected form.
 */
public interface Settings {

    /**
     * Key of the token that all workers of a group share; without a value if the group has no
     * token. A setting of the runtime, which sets it to the content of the token file if one is
     * configured. A backend that accepts connections refuses peers without the token, and never
     * prints it.
     */
    String AUTHENTICATION_TOKEN = "gradwire.authentication-token";

    /**
     * Key of the setting that says what a backend encrypts: {@code none}, {@code network} (all that
     * leaves a host) or {@code all} (also what workers of one host send each other). It is a
     * setting of the runtime, equal on all workers, and has no value by default.
     */
    String ENCRYPTION = "gradwire.encryption";

    /**
     * Key of the PEM file with the worker's certificate. This and the following keys are settings
     * of the runtime, without a value by default; {@link org.gradwire.spi.crypto.Credentials} reads
     * them.
     */
    String CERTIFICATE = "gradwire.certificate";

    /** Key of the PEM file with the private key of the certificate. */
    String PRIVATE_KEY = "gradwire.private-key";

    /** Key of the PEM file with the certificates of trusted authorities. */
    String TRUST = "gradwire.trust";

    /** Key of the PEM file with lists of revoked certificates. */
    String REVOCATIONS = "gradwire.revocations";

    /** Key of the URI that the certificate of a worker must contain. */
    String IDENTITY = "gradwire.identity";

    /** {@return the value of a setting, or its default; empty when it has neither} */
    Optional<String> find(String key);

    /**
     * {@return the source of a setting's value, for error messages, such as {@code environment
     * variable GRADWIRE_RANK}}
     */
    String origin(String key);

    /** {@return the value of a required setting} */
    default String text(String key) {
        return find(key)
                .orElseThrow(() ->
                        new RpcConfigurationException(
                                key
                                        + " is not set; set it in the options, as system property "
                                        + key
                                        + " or as environment variable "
                                        + environmentName(key)));
    }

    /** {@return the value of an integer setting} */
    default int integer(String key, int least, int most) {
        String text = text(key);
        try {
            int value = Integer.parseInt(text.strip());
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException _) {
            // reported below, like a value outside the range
        }
        throw wrong(key, text, "an integer from " + least + " to " + most);
    }

    /** {@return the value of a boolean setting} */
    default boolean flag(String key) {
        String text = text(key);
        return switch (text.strip().toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw wrong(key, text, "true or false");
        };
    }

    /** {@return the value of a setting that is one of some words} */
    default String choice(String key, List<String> words) {
        String text = text(key);
        if (!words.contains(text)) {
            throw wrong(key, text, "one of " + words);
        }
        return text;
    }

    /**
     * {@return the value of a duration setting: a number with {@code ms}, {@code s} or {@code m},
     * or ISO-8601 ({@code PT1.5S})}
     */
    default Duration duration(String key) {
        return parseDuration(key, text(key));
    }

    /**
     * {@return a duration that is part of a setting's value, in the format of {@link #duration}}
     */
    default Duration parseDuration(String key, String text) {
        Matcher simple = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*(ms|s|m)").matcher(text.strip());
        if (simple.matches()) {
            long unit =
                    switch (simple.group(2)) {
                        case "ms" -> 1_000_000L;
                        case "s" -> 1_000_000_000L;
                        default -> 60_000_000_000L;
                    };
            return Duration.ofNanos(Math.round(Double.parseDouble(simple.group(1)) * unit));
        }
        try {
            return Duration.parse(text.strip());
        } catch (DateTimeParseException _) {
            throw wrong(key, text, "a duration such as 500ms, 60s, 2m or PT1.5S");
        }
    }

    /**
     * {@return the value of a size setting in bytes: an integer, with {@code k}, {@code m} or
     * {@code g} for powers of 1024}
     */
    default long bytes(String key) {
        String text = text(key);
        Matcher size =
                Pattern.compile("(\\d{1,12})([kmg]?)")
                        .matcher(text.strip().toLowerCase(Locale.ROOT));
        if (size.matches()) {
            int shift =
                    switch (size.group(2)) {
                        case "k" -> 10;
                        case "m" -> 20;
                        case "g" -> 30;
                        default -> 0;
                    };
            long units = Long.parseLong(size.group(1));
            if (units <= Long.MAX_VALUE >> shift) {
                return units << shift;
            }
        }
        throw wrong(key, text, "a size such as 65536, 64k, 8m or 2g");
    }

    /**
     * {@return the environment variable of a key: {@code GRADWIRE_RPC_TIMEOUT} for {@code
     * gradwire.rpc-timeout}}
     */
    static String environmentName(String key) {
        return key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    /** {@return the value of a duration setting with a minimum} */
    default Duration duration(String key, Duration least) {
        Duration value = duration(key);
        if (value.compareTo(least) < 0) {
            throw wrong(key, least.toMillis() + "ms or more");
        }
        return value;
    }

    /**
     * {@return the failure of a setting with a wrong value}
     *
     * @param expected follows "must be"
     */
    default RpcConfigurationException wrong(String key, String expected) {
        return wrong(key, text(key), expected);
    }

    private RpcConfigurationException wrong(String key, String text, String expected) {
        String shown = key.equals(AUTHENTICATION_TOKEN) ? "***" : text;
        return new RpcConfigurationException(
                "%s=%s (from %s) must be %s".formatted(key, shown, origin(key), expected));
    }
}
