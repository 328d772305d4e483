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
    public static final String QUORUM = "gradwire.quorum";
    public static final String RESTART = "gradwire.restart";
    public static final String MEMBER_LEASE = "gradwire.member-lease";
    public static final String READY_FILE = "gradwire.ready-file";
    public static final String BACKEND = "gradwire.backend";
    public static final String RENDEZVOUS = "gradwire.rendezvous";
    public static final String RPC_TIMEOUT = "gradwire.rpc-timeout";
    public static final String RETRIES = "gradwire.retries";
    public static final String CACHED_REPLIES = "gradwire.cached-replies";
    public static final String CACHED_REPLY_BYTES = "gradwire.cached-reply-bytes";
    public static final String MAX_RUNNING_CALLS = "gradwire.max-running-calls";
    public static final String PEER_WINDOW = "gradwire.peer-window";
    public static final String FAIL_ON_RREF_LEAK = "gradwire.fail-on-rref-leak";
    public static final String RREF_CREATION_SITES = "gradwire.rref-creation-sites";
    public static final String JMX = "gradwire.jmx";
    public static final String BARRIER_FAILURE = "gradwire.barrier-failure";
    public static final String SIMULATION_SEED = "gradwire.simulation.seed";
    public static final String AUTHENTICATION_TOKEN_FILE = "gradwire.authentication-token-file";
    public static final String INSECURE = "gradwire.insecure";
    public static final String ALLOW = "gradwire.allow";

    /** A shell command that creates a file with a token. */
    public static final String TOKEN_RECIPE =
            "(umask 077 && head -c 32 /dev/urandom | base64 > FILE)";

    /** All settings of the runtime, in the order of the documentation. */
    public static final List<Setting> ALL =
            List.of(
                    new Setting(NAME, "", "Name of the worker; by default worker<rank>."),
                    new Setting(
                            RANK,
                            "",
                            "Rank of the worker, which becomes its id: 0 to world size - 1."),
                    new Setting(
                            WORLD_SIZE,
                            "",
                            "Number of workers in the group, unless it is dynamic."),
                    new Setting(
                            GROUP,
                            "static",
                            "Kind of the group: static (a fixed number of workers join and"
                                    + " leave together) or dynamic (workers join and leave at any time)."),
                    new Setting(
                            QUORUM,
                            "1",
                            "Number of members with which the programs of a dynamic group continue after a loss;"
                                    + " the same on all workers. gradwire run sets it to its number of workers,"
                                    + " or to MIN with --workers MIN..MAX."),
                    new Setting(
                            RESTART,
                            "0",
                            "Number of earlier processes of this worker, which have ended. Above 0 the worker takes"
                                    + " over their name and rank in a dynamic group. Supervisors set it, such as"
                                    + " gradwire run --restarts."),
                    new Setting(
                            MEMBER_LEASE,
                            "0s",
                            "Time after which a member of a dynamic group stops if it does not reach the rendezvous,"
                                    + " so that a network that is cut never leaves two groups; from 1s to 1h, the"
                                    + " same on all workers, shorter than the backend's time to detect a silent peer."
                                    + " 0s means never. 15s by default with a rendezvous in etcd."),
                    new Setting(
                            READY_FILE,
                            "",
                            "File that the worker creates when it has joined its group, and renames to FILE.left"
                                    + " when it has left, for supervisors and probes. Empty means none."),
                    new Setting(
                            BACKEND,
                            "tensorpipe",
                            "Name of the backend: tensorpipe, netty, inproc, or another"
                                    + " installed one; auto: tensorpipe if it can work for all workers,"
                                    + " otherwise netty."),
                    new Setting(
                            RENDEZVOUS,
                            "env://",
                            "Address at which the group meets: tcp://host:port, file:///path,"
                                    + " inproc://name, env:// for MASTER_ADDR and MASTER_PORT, or"
                                    + " one of another installed store, such as"
                                    + " etcd://host:port/job."),
                    new Setting(
                            RPC_TIMEOUT, "60s", "Default timeout of calls; 0s means no timeout."),
                    new Setting(
                            RETRIES,
                            "",
                            "Functions whose calls are retried until their reply arrives: FUNCTION=RETRIES [FIRST-DELAY [BACKOFF [ATTEMPT-TIME]]], separated by commas, such as my.pkg.Jobs.*=5 100ms 1.5 10s; the first match applies, and * matches any text."),
                    new Setting(
                            CACHED_REPLIES,
                            "10000",
                            "Limit of the cached replies to retried calls; a reply is dropped earlier when its caller has it."),
                    new Setting(CACHED_REPLY_BYTES, "256m", "Limit of the bytes of these replies."),
                    new Setting(
                            MAX_RUNNING_CALLS,
                            "4096",
                            "Limit of the calls of peers that run at a time, of which one peer may have seven eighths; further ones are queued. Calls that wait for other calls do not count."),
                    new Setting(
                            PEER_WINDOW,
                            "64m",
                            "Limit of the bytes of calls in flight to one peer, each counted with 1 KiB more, and of replies. Callers above the limit block while calls are queued at the peer."),
                    new Setting(
                            FAIL_ON_RREF_LEAK,
                            "false",
                            "Whether leaked references are an error at shutdown rather than a warning."),
                    new Setting(
                            RREF_CREATION_SITES,
                            "false",
                            "Whether the line of the program that creates a reference is"
                                    + " recorded, for the reports of leaked and never closed references;"
                                    + " costs some microseconds per reference."),
                    new Setting(
                            JMX,
                            "false",
                            "Whether the worker's metrics are published through JMX, under org.gradwire:type=Worker."),
                    new Setting(
                            BARRIER_FAILURE,
                            "raise",
                            "Action on a failed barrier: raise, or log as PyTorch does."),
                    new Setting(
                            SIMULATION_SEED,
                            "",
                            "Seed of a simulation of a group of workers in one JVM, which"
                                    + " determines the order of all events; for tests, only with the"
                                    + " backend inproc. Without it, workers run in real time."),
                    new Setting(
                            Settings.AUTHENTICATION_TOKEN,
                            "",
                            "Secret that all workers of the group share, at least 16 characters; a process without it is refused. Empty means none. Prefer a file, with the next setting: recordings of Flight Recorder show environment variables and system properties."),
                    new Setting(
                            AUTHENTICATION_TOKEN_FILE,
                            "",
                            "File with this secret, UTF-8 text of at most 4096 bytes, of which"
                                    + " one line end is removed: a regular file of this user or of root,"
                                    + " without permissions for group and others; or a file in systemd's"
                                    + " $CREDENTIALS_DIRECTORY."),
                    new Setting(
                            INSECURE,
                            "false",
                            "Whether a group without a token and certificates may meet at an address other than"
                                    + " loopback, where every process that reaches the port can join it"
                                    + " and call its functions."),
                    new Setting(
                            ALLOW,
                            "",
                            "What other workers may do on this one: rules WORKERS: ACTIONS, separated by semicolons, such as trainer*: org.x.Embedding.*, gradwire::fetch; *: org.x.Health.ping. Both are names separated by commas, and * matches any text. What no rule permits is refused; without a value everything is permitted."),
                    new Setting(
                            Settings.ENCRYPTION,
                            "",
                            "What tensorpipe encrypts: network (all that does not go through shared memory), all (workers"
                                    + " of one host share no memory) or none; the same on all workers. By default network if"
                                    + " the group has a token or the worker a certificate, else none. netty encrypts if the"
                                    + " worker has a certificate, which all requires."),
                    new Setting(
                            Settings.CERTIFICATE,
                            "",
                            "PEM file with this worker's certificate and those between it and the trusted"
                                    + " ones, by which it proves its identity to peers; the files of these settings are read again when they change."),
                    new Setting(
                            Settings.PRIVATE_KEY,
                            "",
                            "PEM file with the private key of the certificate (PKCS #8, without a"
                                    + " password)."),
                    new Setting(
                            Settings.TRUST,
                            "",
                            "PEM file with the certificates of the authorities that may sign those of"
                                    + " peers."),
                    new Setting(
                            Settings.REVOCATIONS,
                            "",
                            "PEM file with the lists of revoked certificates (CRL) of these authorities; with it, a"
                                    + " peer is refused if the list of its authority names it, has expired or is missing."),
                    new Setting(
                            Settings.IDENTITY,
                            "",
                            "URI that each worker's certificate must have among its subject alternative names,"
                                    + " with {worker} for the worker's name, such as"
                                    + " spiffe://example.org/group/{worker}; by default names in certificates are"
                                    + " not compared."),
                    OsNative.SETTING);

    private RuntimeSettings() {}
}
