package org.gradwire.examples;

import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** Parses the command lines of programs. */
public final class Arguments {
    private static final int USAGE = 2;

    private Arguments() {}

    /** Parse arguments into options. Exits when they are wrong or ask for help. */
    public static <T> T parse(T options, String... args) {
        try {
            if (CommandLine.printHelpIfRequested(new CommandLine(options).parseArgs(args))) {
                System.exit(0);
            }
        } catch (ParameterException e) {
            System.err.println(e.getMessage() + "; --help lists the options");
            System.exit(USAGE);
        }
        return options;
    }

    /** Parses positive integers. */
    public static final class Count implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String value) {
            if (!value.matches("[1-9][0-9]{0,8}")) {
                throw new TypeConversionException(
                        "'%s' must be an integer, 1 or more".formatted(value));
            }
            return Integer.valueOf(value);
        }
    }
}
