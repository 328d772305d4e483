package org.gradwire.launcher;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An option of the launcher among the arguments of the program. It is passed to the program, which
 * may have an option of that name, with a warning.
 *
 * @param name of the option
 * @param text option with its value, as typed
 * @param program program, as typed
 */
record MisplacedOption(String name, String text, String program) {
    private static final Pattern OPTION = Pattern.compile("(-n)\\d+|(-[^=]+)(?:=.*)?");

    /** {@return the first misplaced option before an argument {@code --}} */
    static Optional<MisplacedOption> find(
            CommandSpec launcher, String program, List<String> arguments) {
        List<String> options = arguments.stream().takeWhile(arg -> !arg.equals("--")).toList();
        for (int i = 0; i < options.size(); i++) {
            String argument = options.get(i);
            Matcher matcher = OPTION.matcher(argument);
            if (matcher.matches()) {
                String name = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
                OptionSpec option = launcher.findOption(name);
                if (option != null && !option.usageHelp() && !option.versionHelp()) {
                    boolean valueFollows =
                            argument.equals(name)
                                    && option.arity().min() > 0
                                    && i + 1 < options.size();
                    String text = valueFollows ? argument + " " + options.get(i + 1) : argument;
                    return Optional.of(new MisplacedOption(name, text, program));
                }
            }
        }
        return Optional.empty();
    }

    /** {@return a sentence for the user} */
    String warning() {
        return "%s comes after the program and is passed to it; for the launcher put it before: ./gradwire run %s %s"
                .formatted(name, text, program);
    }
}
