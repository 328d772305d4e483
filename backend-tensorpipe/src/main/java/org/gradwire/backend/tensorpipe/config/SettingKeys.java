package org.gradwire.backend.tensorpipe.config;

import org.gradwire.spi.Setting;
import org.gradwire.spi.Settings;

import java.util.List;

/** The settings of this backend: keys, defaults and descriptions. */
public final class SettingKeys {
    private static final String PREFIX = "gradwire.tensorpipe.";

    static final String DRIVER = PREFIX + "driver";
    static final String DRIVER_JVM_FLAGS = PREFIX + "driver-jvm-flags";
    public static final String DIRECTORY = PREFIX + "directory";
    static final String TRANSPORT = PREFIX + "transport";
    public static final String TERM_LENGTH = PREFIX + "term-length";
    public static final String UDP_TERM_LENGTH = PREFIX + "udp-term-length";
    static final String MTU = PREFIX + "mtu";
    public static final String HOST = PREFIX + "host";
    static final String IDLE = PREFIX + "idle";
    static final String LIVENESS = PREFIX + "liveness";
    static final String CONNECT_TIMEOUT = PREFIX + "connect-timeout";
    public static final String SEND_QUEUE_BYTES = PREFIX + "send-queue-bytes";
    public static final String MAX_MESSAGE_BYTES = PREFIX + "max-message-bytes";
    public static final String RECEIVE_BYTES = PREFIX + "receive-bytes";
    static final String SINGLE_COPY = PREFIX + "single-copy";
    static final String TCP = PREFIX + "tcp";
    public static final String ENCRYPTION = Settings.ENCRYPTION;
    static final String REKEY_BYTES = PREFIX + "rekey-bytes";

    public static final List<Setting> ALL =
            List.of(
                    new Setting(
                            DRIVER,
                            "shared",
                            "Location of Aeron's media driver: shared (a separate process for"
                                    + " all workers of this user on the host) or embedded (in this JVM)."),
                    new Setting(
                            DRIVER_JVM_FLAGS,
                            "",
                            "Flags for the JVM of a shared media driver that this worker starts,"
                                    + " separated by spaces, such as -XX:AOTCache=FILE. ./gradwire run"
                                    + " sets the cache of its distribution."),
                    new Setting(
                            DIRECTORY,
                            "",
                            "Directory of the media driver, preferably in memory; workers with"
                                    + " the same directory share a driver. By default a directory in"
                                    + " /dev/shm, or elsewhere in the folder for temporary files, named"
                                    + " after the id of the user. An existing one must belong to the user"
                                    + " and have mode 700."),
                    new Setting(
                            TRANSPORT,
                            "auto",
                            "Transport to peers: auto (shared memory under the same driver, UDP"
                                    + " otherwise) or udp; two workers use shared memory if both have"
                                    + " auto, and none with gradwire.encryption=all."),
                    new Setting(
                            TERM_LENGTH,
                            "auto",
                            "Bytes of a third of each shared-memory log, a power of two from"
                                    + " 64k to 1g; two workers that call each other have two logs. auto is"
                                    + " 2m, or 1m if the directory's file system has less than 256m, and"
                                    + " less if the logs of all workers would take more than 1g or three"
                                    + " quarters of it."),
                    new Setting(
                            UDP_TERM_LENGTH,
                            "1m",
                            "Bytes of a third of each UDP log, a power of two from 64k to 1g;"
                                    + " each pair of workers has four, two on either host. The same on all"
                                    + " workers: longer logs of peers are refused."),
                    new Setting(
                            MTU,
                            "1408",
                            "Maximal bytes of a UDP datagram, a multiple of 32; more is faster"
                                    + " if the network permits it."),
                    new Setting(
                            HOST,
                            "",
                            "Address of this worker for peers on other hosts, at which it opens"
                                    + " ports if it has such peers, and from which it sends to them; without"
                                    + " NAT. By default the address of the interface of"
                                    + " the default route."),
                    new Setting(
                            IDLE,
                            "adaptive",
                            "Idle strategy of the poller: adaptive (spins briefly, then sleeps"
                                    + " until woken), spin (always, for the lowest latency and a whole"
                                    + " core), or park (sleeps at once)."),
                    new Setting(
                            LIVENESS,
                            "5s",
                            "Time without a heartbeat or other frame after which a peer counts"
                                    + " as lost, up to 60s between hosts; six times that while its process"
                                    + " runs on this host."),
                    new Setting(
                            CONNECT_TIMEOUT,
                            "5m",
                            "Time limit to find the media driver, to connect to all peers when"
                                    + " the group forms, and to connect to a peer that is first called"
                                    + " later."),
                    new Setting(
                            SEND_QUEUE_BYTES,
                            "1g",
                            "Maximal bytes that wait to be sent to one peer; further messages"
                                    + " are refused."),
                    new Setting(
                            MAX_MESSAGE_BYTES,
                            "2g",
                            "Maximal bytes of one message's payload and buffers, sent or"
                                    + " received, up to 2g."),
                    new Setting(
                            RECEIVE_BYTES,
                            "4g",
                            "Maximal bytes of arriving messages from all peers together, of"
                                    + " which one peer may hold half: set it to at least twice the largest"
                                    + " message. Further messages are refused."),
                    new Setting(
                            SINGLE_COPY,
                            "auto",
                            "Whether large native buffers are read directly from the sender's"
                                    + " memory if the kernel permits it: auto or off."),
                    new Setting(
                            TCP,
                            "auto",
                            "Whether large native buffers of peers over UDP are read over TCP, for which each"
                                    + " worker listens at a free port: auto or off."),
                    new Setting(
                            REKEY_BYTES,
                            "64g",
                            "Bytes that are sealed with one key in one direction between two workers over UDP, from 1m to 64g;"
                                    + " then the next key is used, and after an hour too."));

    private SettingKeys() {}
}
