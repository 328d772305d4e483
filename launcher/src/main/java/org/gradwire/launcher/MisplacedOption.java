package org.gradwire.launcher;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An option of the launcher's among the arguments of the program. The program gets it, for it may
 * have an option of that name; the user is told where the launcher looks for its own.
 *
 * @param name of the option
 * @param text the option with its value, as the user wrote it
 * @param program what the user named
 */
record MisplacedOption(String name, String text, String program) {
    private static final Pattern OPTION = Pattern.compile("(-n)\\d+|(-[^=]+)(?:=.*)?");

    /** {@return the first of them, before an argument {@code --}} */
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
        return "%s stands after the program and is passed to it; for the launcher it stands before: ./gradwire run %s %s"
                .formatted(name, text, program);
    }
}
