package org.gradwire.backend.tensorpipe.address;

import io.aeron.ChannelUri;
import io.aeron.CommonContext;

import org.gradwire.backend.tensorpipe.seal.PairSecret;
import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.nio.file.Path;

/**
 * The route to a peer: channel, stream and properties of the connection, known before it is
 * connected.
 *
 * @param isIpc whether it uses shared memory rather than UDP
 * @param isOnThisHost whether the peer's process can be watched, and perhaps its memory read
 * @param isEager whether {@code connect} connects it, rather than the first call
 * @param rungByDriver whether arrivals over UDP ring this worker's doorbell
 * @param bell the file of the peer's doorbell, which each write rings; null if it has none
 * @param channel Aeron URI of the publication
 * @param stream of the publication
 * @param termLength of the log, in bytes
 * @param maxFrame bytes of the longest frame
 * @param secret from which the keys of the pair follow; null when nothing is sealed
 */
public record Route(
        boolean isIpc,
        boolean isOnThisHost,
        boolean isEager,
        boolean rungByDriver,
        @Nullable Path bell,
        String channel,
        int stream,
        int termLength,
        int maxFrame,
        @Nullable PairSecret secret) {

    /** {@return the address and port of a peer over UDP} */
    public String endpoint() {
        return ChannelUri.parse(channel).get(CommonContext.ENDPOINT_PARAM_NAME);
    }

    /** {@return the host of a peer over UDP} */
    public InetAddress host() {
        return HostAddress.parse(NetworkAddress.hostOf(endpoint()));
    }
}
