package org.gradwire.runtime.wire;

import org.slf4j.LoggerFactory;
import org.slf4j.spi.SLF4JServiceProvider;

import java.util.ServiceLoader;

/**
 * The logging of Chronicle's libraries: SLF4J with the provider that the program chose, or none.
 *
 * <p>Without a provider SLF4J prints three lines of warning in each process, which say nothing to a
 * program that does not use it. Gradwire brings no provider, since a second one beside the
 * program's would draw a warning as well, and could be the one that is taken.
 */
final class ChronicleLogging {
    private static final String VERBOSITY = "slf4j.internal.verbosity";
    private static final String PROVIDER = "slf4j.provider";

    private ChronicleLogging() {}

    /**
     * Initialize SLF4J, in silence if there is no provider. The first class of Chronicle's must not
     * be initialized before this has returned.
     */
    static void initialize() {
        if (System.getProperty(VERBOSITY) != null || hasProvider()) {
            return;
        }
        System.setProperty(VERBOSITY, "ERROR");
        try {
            LoggerFactory.getILoggerFactory();
        } finally {
            System.clearProperty(VERBOSITY);
        }
    }

    private static boolean hasProvider() {
        ClassLoader loader = LoggerFactory.class.getClassLoader();
        return System.getProperty(PROVIDER) != null
                || ServiceLoader.load(SLF4JServiceProvider.class, loader).stream()
                        .findAny()
                        .isPresent();
    }
}
