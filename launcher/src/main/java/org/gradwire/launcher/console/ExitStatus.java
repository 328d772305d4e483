package org.gradwire.launcher.console;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The exit status of a process.
 *
 * @param code its exit code; 128 + n when signal n ended it, as a shell reports it
 */
public record ExitStatus(int code) {
    /** The command line is wrong. */
    public static final int BAD_USAGE = 2;

    /** The run reached its timeout. */
    public static final int TIMED_OUT = 124;

    /** A worker or a host could not be started. */
    public static final int CANNOT_START = 126;

    /** The reader of the output closed it. */
    public static final int OUTPUT_CLOSED = 141;

    /** The input ended, and the run was to end with it; as after SIGTERM. */
    public static final int INPUT_ENDED = 143;

    private static final int SIGNAL_BASE = 128;
    // Signals that end a process by default, with the same number on Linux and macOS.
    private static final Map<Integer, String> SIGNALS =
            Map.ofEntries(
                    Map.entry(1, "SIGHUP"),
                    Map.entry(2, "SIGINT"),
                    Map.entry(3, "SIGQUIT"),
                    Map.entry(4, "SIGILL"),
                    Map.entry(5, "SIGTRAP"),
                    Map.entry(6, "SIGABRT"),
                    Map.entry(8, "SIGFPE"),
                    Map.entry(9, "SIGKILL"),
                    Map.entry(11, "SIGSEGV"),
                    Map.entry(13, "SIGPIPE"),
                    Map.entry(14, "SIGALRM"),
                    Map.entry(15, "SIGTERM"));

    private static final Set<String> USER_SIGNALS = Set.of("SIGHUP", "SIGINT", "SIGTERM");

    /** {@return whether it is 0} */
    public boolean success() {
        return code == 0;
    }

    /**
     * {@return whether a signal that users send, such as Ctrl-C on a terminal, ended the process}
     */
    public boolean byUserSignal() {
        return signal().filter(USER_SIGNALS::contains).isPresent();
    }

    /** {@return the status in words: {@code exit code 3} or {@code ended by SIGKILL (137)}} */
    public String description() {
        return signal().map(name -> "ended by " + name + " (" + code + ")")
                .orElse("exit code " + code);
    }

    private Optional<String> signal() {
        return Optional.ofNullable(SIGNALS.get(code - SIGNAL_BASE));
    }
}
