package org.gradwire.backend.tensorpipe;

import io.aeron.ChannelUri;
import io.aeron.CommonContext;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.nio.file.Path;

/**
 * How a peer is reached, known before anything is done for it.
 *
 * @param isIpc through shared memory, not UDP
 * @param isOnThisHost so that its process can be watched and, maybe, its memory read
 * @param isEager whether it is connected when the group meets, not when it is first needed
 * @param rungByDriver whether what comes over UDP rings this worker's bell
 * @param bell the file of the peer's bell, which each write rings; null when it has none
 * @param channel of the log to it, as Aeron writes it
 * @param stream on which it listens there
 * @param termLength of the log, in bytes
 * @param maxFrame bytes of the longest frame
 */
record Route(
        boolean isIpc,
        boolean isOnThisHost,
        boolean isEager,
        boolean rungByDriver,
        @Nullable Path bell,
        String channel,
        int stream,
        int termLength,
        int maxFrame) {

    /** {@return the address and port of a peer over UDP} */
    String endpoint() {
        return ChannelUri.parse(channel).get(CommonContext.ENDPOINT_PARAM_NAME);
    }

    /** {@return the host of a peer over UDP} */
    InetAddress host() {
        return HostAddress.parse(NetworkAddress.hostOf(endpoint()));
    }
}
