package org.gradwire.backend.netty;

import org.gradwire.spi.Setting;

import java.util.List;

/** The settings of this backend: keys, defaults and descriptions. */
final class SettingKeys {
    private static final String PREFIX = "gradwire.netty.";

    static final String HOST = PREFIX + "host";
    static final String PORT = PREFIX + "port";
    static final String PLAIN = PREFIX + "plain";
    static final String LIVENESS = PREFIX + "liveness";
    static final String CONNECT_TIMEOUT = PREFIX + "connect-timeout";
    static final String SEND_QUEUE_BYTES = PREFIX + "send-queue-bytes";
    static final String MAX_MESSAGE_BYTES = PREFIX + "max-message-bytes";
    static final String RECEIVE_BYTES = PREFIX + "receive-bytes";

    static final List<Setting> ALL =
            List.of(
                    new Setting(
                            HOST,
                            "",
                            "Address of this host at which the worker listens and peers reach it; by"
                                    + " default the address of the default route if messages are encrypted or plain is"
                                    + " true, and the loopback address otherwise."),
                    new Setting(PORT, "0", "Port at which the worker listens; 0 means a free one."),
                    new Setting(
                            PLAIN,
                            "false",
                            "Whether messages may go to other hosts without encryption, in a network that"
                                    + " no third party can read or write."),
                    new Setting(
                            LIVENESS,
                            "5s",
                            "Time without a received byte after which a peer counts as lost."),
                    new Setting(
                            CONNECT_TIMEOUT,
                            "5m",
                            "Time to reach the peers when the group forms, and peers that join later."),
                    new Setting(
                            SEND_QUEUE_BYTES,
                            "1g",
                            "Maximal bytes that wait to be sent to one peer; a message above that is"
                                    + " refused."),
                    new Setting(
                            MAX_MESSAGE_BYTES,
                            "2g",
                            "Maximal bytes of one message's payload and buffers, sent or received, up to"
                                    + " 2g."),
                    new Setting(
                            RECEIVE_BYTES,
                            "4g",
                            "Maximal bytes of arriving messages from all peers together;"
                                    + " one peer may hold half of it; a message above that is refused."));

    private SettingKeys() {}
}
