package org.gradwire.launcher;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a duration in the format of Gradwire's settings: {@code 500ms}, {@code 10s}, {@code 2m}.
 */
final class DurationConverter implements ITypeConverter<Duration> {
    private static final Pattern SYNTAX = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

    @Override
    public Duration convert(String text) {
        Matcher matcher = SYNTAX.matcher(text.strip());
        if (!matcher.matches()) {
            throw new TypeConversionException(
                    "'" + text + "' is not a duration such as 500ms, 10s, 2m or 1h");
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofHours(number);
        };
    }
}
