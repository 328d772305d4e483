package org.gradwire.bench;

import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

import java.util.Arrays;
import java.util.Optional;

/** The options of the modes, at most one of which a command line has. */
final class ModeOptions {
    private Mode mode = Mode.COMPARISON;
    private Optional<String> parameter = Optional.empty();

    /** Add the options to a command line. */
    void addTo(CommandLine commandLine) {
        for (Mode each : Mode.values()) {
            if (each != Mode.COMPARISON) {
                commandLine.getCommandSpec().addOption(option(each));
            }
        }
    }

    private static OptionSpec option(Mode mode) {
        var option = OptionSpec.builder(mode.option()).description(mode.description());
        return (mode.hasParameter()
                        ? option.type(String.class).arity("1").paramLabel(mode.parameterLabel())
                        : option.type(boolean.class).arity("0"))
                .build();
    }

    /**
     * Take the mode from a command line that has parsed its arguments.
     *
     * @throws ParameterException with the first two modes, if there are several
     */
    void read(CommandLine commandLine) {
        for (OptionSpec option : commandLine.getParseResult().matchedOptions()) {
            Optional<Mode> matched = named(option.longestName());
            if (matched.isPresent()) {
                choose(matched.get(), commandLine);
                parameter = mode.hasParameter() ? Optional.of(option.getValue()) : Optional.empty();
            }
        }
    }

    private void choose(Mode next, CommandLine commandLine) {
        if (mode != Mode.COMPARISON) {
            throw new ParameterException(
                    commandLine,
                    "%s cannot be combined with %s: each of them says what to measure; give one"
                            .formatted(mode.option(), next.option()));
        }
        mode = next;
    }

    private static Optional<Mode> named(String option) {
        return Arrays.stream(Mode.values())
                .filter(mode -> mode != Mode.COMPARISON && mode.option().equals(option))
                .findFirst();
    }

    Mode mode() {
        return mode;
    }

    /** {@return the parameter of the mode's option; empty if it has none} */
    Optional<String> parameter() {
        return parameter;
    }
}
