package org.gradwire.backend.tensorpipe;

import org.gradwire.spi.Setting;

import java.util.List;

/** The settings of this backend: key, default, meaning. */
final class Keys {
    private static final String PREFIX = "gradwire.tensorpipe.";

    static final String DRIVER = PREFIX + "driver";
    static final String DIRECTORY = PREFIX + "directory";
    static final String TRANSPORT = PREFIX + "transport";
    static final String TERM_LENGTH = PREFIX + "term-length";
    static final String UDP_TERM_LENGTH = PREFIX + "udp-term-length";
    static final String MTU = PREFIX + "mtu";
    static final String HOST = PREFIX + "host";
    static final String IDLE = PREFIX + "idle";
    static final String LIVENESS = PREFIX + "liveness";
    static final String CONNECT_TIMEOUT = PREFIX + "connect-timeout";
    static final String SEND_QUEUE_BYTES = PREFIX + "send-queue-bytes";
    static final String MAX_MESSAGE_BYTES = PREFIX + "max-message-bytes";
    static final String RECEIVE_BYTES = PREFIX + "receive-bytes";
    static final String SINGLE_COPY = PREFIX + "single-copy";
    static final String TCP = PREFIX + "tcp";

    static final List<Setting> ALL =
            List.of(
                    new Setting(
                            DRIVER,
                            "shared",
                            "Where Aeron's media driver runs: shared (a process of its own, one for all"
                                    + " workers of this user on the host) or embedded (in this JVM)."),
                    new Setting(
                            DIRECTORY,
                            "",
                            "Directory of the media driver, best in memory; workers that name the same"
                                    + " one share it; by default one in /dev/shm, or elsewhere in the folder for temporary files, named after the number of the"
                                    + " user. One that exists must belong to the user and have mode 700."),
                    new Setting(
                            TRANSPORT,
                            "auto",
                            "How to reach peers: auto (shared memory under the same driver, UDP"
                                    + " otherwise) or udp; two workers use shared memory when both say auto."),
                    new Setting(
                            TERM_LENGTH,
                            "auto",
                            "Bytes of a third of each shared-memory log, a power of two from 64k to 1g;"
                                    + " two workers that call each other have two logs; auto is 2m, or 1m where the"
                                    + " directory's file system has less than 256m in all, and less where"
                                    + " the logs of all workers would take more than 1g or three quarters"
                                    + " of it."),
                    new Setting(
                            UDP_TERM_LENGTH,
                            "1m",
                            "Bytes of a third of each UDP log, a power of two from 64k to 1g; each pair"
                                    + " of workers has four, two on either host. The same on all workers: longer logs of peers are refused."),
                    new Setting(
                            MTU,
                            "1408",
                            "Most bytes of a UDP datagram, a multiple of 32; more is faster where the"
                                    + " network carries it."),
                    new Setting(
                            HOST,
                            "",
                            "Address at which peers on other hosts reach this worker, which opens ports"
                                    + " there when there are some, and from which it sends to them: no translation of"
                                    + " addresses may be in between; by default that of the interface of the default"
                                    + " route."),
                    new Setting(
                            IDLE,
                            "adaptive",
                            "How the poller waits: adaptive (spins a moment, then sleeps until woken),"
                                    + " spin (always, for the lowest latency and a whole core), or park"
                                    + " (sleeps at once)."),
                    new Setting(
                            LIVENESS,
                            "5s",
                            "Time without a sign of life after which a peer counts as lost, up to 60s between hosts; six times that while its process runs on this host."),
                    new Setting(
                            CONNECT_TIMEOUT,
                            "5m",
                            "Time to find the media driver, to reach all peers when the group comes"
                                    + " together, and one that is first called later."),
                    new Setting(
                            SEND_QUEUE_BYTES,
                            "1g",
                            "Most bytes that may wait to be sent to one peer; a message beyond is"
                                    + " refused."),
                    new Setting(
                            MAX_MESSAGE_BYTES,
                            "2g",
                            "Most bytes of one message's payload and buffers, sent or received, up to"
                                    + " 2g."),
                    new Setting(
                            RECEIVE_BYTES,
                            "4g",
                            "Most bytes of messages that are arriving at a time, from all peers together;"
                                    + " one peer may hold half of it, so this should be twice the"
                                    + " largest message; a message beyond is refused."),
                    new Setting(
                            SINGLE_COPY,
                            "auto",
                            "Whether large native buffers are read directly from the sender's memory"
                                    + " where the kernel permits it: auto or off."),
                    new Setting(
                            TCP,
                            "auto",
                            "Whether large native buffers of peers over UDP are read over TCP, for which each"
                                    + " worker listens at a free port: auto or off."));

    private Keys() {}
}
