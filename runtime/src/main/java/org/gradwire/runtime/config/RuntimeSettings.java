package org.gradwire.runtime.config;

import org.gradwire.spi.OsNative;
import org.gradwire.spi.Setting;
import org.gradwire.spi.Settings;

import java.util.List;

/** The settings of the runtime itself. */
public final class RuntimeSettings {
    public static final String NAME = "gradwire.name";
    public static final String RANK = "gradwire.rank";
    public static final String WORLD_SIZE = "gradwire.world-size";
    public static final String GROUP = "gradwire.group";
    public static final String BACKEND = "gradwire.backend";
    public static final String RENDEZVOUS = "gradwire.rendezvous";
    public static final String RPC_TIMEOUT = "gradwire.rpc-timeout";
    public static final String RETRIES = "gradwire.retries";
    public static final String KEPT_ANSWERS = "gradwire.kept-answers";
    public static final String KEPT_ANSWER_BYTES = "gradwire.kept-answer-bytes";
    public static final String MAX_RUNNING_CALLS = "gradwire.max-running-calls";
    public static final String PEER_WINDOW = "gradwire.peer-window";
    public static final String FAIL_ON_RREF_LEAK = "gradwire.fail-on-rref-leak";
    public static final String RREF_CREATION_SITES = "gradwire.rref-creation-sites";
    public static final String JMX = "gradwire.jmx";
    public static final String BARRIER_FAILURE = "gradwire.barrier-failure";
    public static final String SIMULATION_SEED = "gradwire.simulation.seed";
    public static final String AUTHENTICATION_TOKEN_FILE = "gradwire.authentication-token-file";
    public static final String INSECURE = "gradwire.insecure";

    /** A shell command that makes a file with a token. */
    public static final String TOKEN_RECIPE =
            "(umask 077 && head -c 32 /dev/urandom | base64 > FILE)";

    /** All of them, in the order they are documented. */
    public static final List<Setting> ALL =
            List.of(
                    new Setting(NAME, "", "Name of the worker; worker<rank> when it is not set."),
                    new Setting(
                            RANK,
                            "",
                            "Rank of the worker, which becomes its id: 0 to world size - 1."),
                    new Setting(
                            WORLD_SIZE,
                            "",
                            "Number of workers in the group, unless it is a dynamic one."),
                    new Setting(
                            GROUP,
                            "static",
                            "static: a number of workers meet, and leave together; dynamic: workers come and go."),
                    new Setting(
                            BACKEND,
                            "tensorpipe",
                            "Name of the backend that carries the messages: tensorpipe, netty, inproc, or that of another one that is installed; auto: tensorpipe where it can work for all workers, netty elsewhere."),
                    new Setting(
                            RENDEZVOUS,
                            "env://",
                            "Where the group meets: tcp://host:port, file:///path, inproc://name, or env:// for MASTER_ADDR and MASTER_PORT."),
                    new Setting(
                            RPC_TIMEOUT,
                            "60s",
                            "How long a call may take that does not say otherwise; 0s means without end."),
                    new Setting(
                            RETRIES,
                            "",
                            "Functions whose calls are sent again until they are answered: FUNCTION=RETRIES [FIRST-DELAY [BACKOFF [ATTEMPT-TIME]]], separated by commas, such as my.pkg.Jobs.*=5 100ms 1.5 10s; the first that fits counts, and * stands for any text."),
                    new Setting(
                            KEPT_ANSWERS,
                            "10000",
                            "How many answers to such calls are kept at most, for requests that are repeated; dropped earlier when the caller has them."),
                    new Setting(
                            KEPT_ANSWER_BYTES, "256m", "Most bytes of the answers that are kept."),
                    new Setting(
                            MAX_RUNNING_CALLS,
                            "4096",
                            "How many calls of peers run at a time; further ones wait. Calls that wait for other calls do not count."),
                    new Setting(
                            PEER_WINDOW,
                            "64m",
                            "Most bytes of calls that may be under way to one peer, each counted with 1 KiB more, and of replies; who makes a call beyond waits, as long as calls wait in line there."),
                    new Setting(
                            FAIL_ON_RREF_LEAK,
                            "false",
                            "Whether references that leaked are an error at shutdown rather than a warning."),
                    new Setting(
                            RREF_CREATION_SITES,
                            "false",
                            "Whether it is kept where in the program each reference was made, for the reports of leaks and of references that were never closed; costs some microseconds each."),
                    new Setting(
                            JMX,
                            "false",
                            "Whether the figures about the worker's inside are shown through JMX, under org.gradwire:type=Worker."),
                    new Setting(
                            BARRIER_FAILURE,
                            "raise",
                            "What a failed barrier does: raise, or log as PyTorch does."),
                    new Setting(
                            SIMULATION_SEED,
                            "",
                            "Number from which it follows in which order everything happens in a group of workers of one JVM, whose time is simulated: for tests, over the backend inproc only. None: in real time."),
                    new Setting(
                            Settings.AUTHENTICATION_TOKEN,
                            "",
                            "Secret that all workers of the group share, at least 16 characters; a process without it is refused. None when empty. Better in a file, with the next setting: environment variables and system properties show in recordings of Flight Recorder."),
                    new Setting(
                            AUTHENTICATION_TOKEN_FILE,
                            "",
                            "File that holds this secret, UTF-8 text of at most 4096 bytes, of which one line end is removed: a regular file of this user or of root, without permissions for group and others; or one in systemd's $CREDENTIALS_DIRECTORY."),
                    new Setting(
                            INSECURE,
                            "false",
                            "Whether a group without a token may meet at an address beyond loopback, where everybody who reaches the port can join it and call its functions."),
                    OsNative.SETTING);

    private RuntimeSettings() {}
}
