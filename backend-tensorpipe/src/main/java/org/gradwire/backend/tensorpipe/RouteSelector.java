package org.gradwire.backend.tensorpipe;

import io.aeron.protocol.DataHeaderFlyweight;

import org.gradwire.backend.tensorpipe.address.NetworkAddress;
import org.gradwire.backend.tensorpipe.address.Route;
import org.gradwire.backend.tensorpipe.address.WorkerAddress;
import org.gradwire.backend.tensorpipe.config.TensorPipeOptions;
import org.gradwire.backend.tensorpipe.driver.SharedMemory;
import org.gradwire.backend.tensorpipe.driver.WakingSendEndpoint;
import org.gradwire.backend.tensorpipe.os.LibC;
import org.gradwire.backend.tensorpipe.seal.PairSecret;
import org.gradwire.rpc.WorkerInfo;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * Selects the routes to peers: shared memory under the same media driver if both permit it,
 * otherwise UDP.
 */
final class RouteSelector {
    private final int self;
    private final TensorPipeOptions options;
    private final DriverClient driver;
    private final WorkerAddress own;
    private final Peers peers;

    RouteSelector(
            int self,
            TensorPipeOptions options,
            DriverClient driver,
            WorkerAddress own,
            Peers peers) {
        this.self = self;
        this.options = options;
        this.driver = driver;
        this.own = own;
        this.peers = peers;
    }

    /** {@return the ids of this worker, its peers and new members under the same media driver} */
    NavigableSet<Integer> neighbours(Map<WorkerInfo, WorkerAddress> newcomers) {
        var ids = new TreeSet<>(List.of(self));
        peers.all().stream()
                .filter(peer -> !peer.isLost() && peer.route().isIpc())
                .forEach(peer -> ids.add(peer.id()));
        newcomers.forEach((member, found) -> {
            if (found.sharesMemoryWith(own)) {
                ids.add(member.id());
            }
        });
        return ids;
    }

    /** {@return the term length of routes between the given number of workers under the driver} */
    int ipcTermLength(int neighbours) {
        return options.ipcTermLength(SharedMemory.total(driver.directory().path()), neighbours);
    }

    /**
     * {@return the route to a peer through shared memory}
     *
     * @param first the lowest id of the workers under the driver
     * @param termLength of {@link #ipcTermLength}
     */
    Route ipc(int id, WorkerAddress to, int first, int termLength) {
        int mtu = TensorPipeOptions.ipcMtu(termLength);
        boolean rings = to.hasBell() && LibC.isAvailable();
        return new Route(
                true,
                true,
                !rings || isEager(id, first),
                own.hasBell() && driver.servesSockets(),
                rings ? driver.directory().bell(to.incarnation()) : null,
                "aeron:ipc?term-length=%d|mtu=%d".formatted(termLength, mtu),
                to.ipcStream(),
                termLength,
                mtu - DataHeaderFlyweight.HEADER_LENGTH,
                null);
    }

    /**
     * {@return whether a neighbour is connected at once} The first worker and each other one are
     * connected at once, so that an incompatible worker is found when it joins. Logs between all
     * pairs would grow with the square of their number.
     */
    private boolean isEager(int id, int first) {
        return id == first || self == first;
    }

    /**
     * {@return the route between two network endpoints}
     *
     * @param secret of this worker and the peer; null when they do not encrypt
     */
    Route udp(
            WorkerAddress to, NetworkAddress from, NetworkAddress at, @Nullable PairSecret secret) {
        return new Route(
                false,
                to.host().equals(own.host()),
                true,
                own.hasBell() && driver.servesSockets(),
                null,
                udpChannel(from, at, secret),
                at.udpStream(),
                options.udpTermLength(),
                options.framesBytes() - DataHeaderFlyweight.HEADER_LENGTH,
                secret);
    }

    private String udpChannel(NetworkAddress from, NetworkAddress at, @Nullable PairSecret secret) {
        String session = secret == null ? "" : "|session-id=" + secret.session(true);
        return "aeron:udp?endpoint=%s|interface=%s|term-length=%d|mtu=%d|%s=%d%s"
                .formatted(
                        at.udpEndpoint(),
                        from.bracketedHost(), // the source address that the peer expects
                        options.udpTermLength(),
                        driver.servesSockets() ? options.udpMtu() : options.framesBytes(),
                        WakingSendEndpoint.DATAGRAM,
                        options.datagramBytes(),
                        session);
    }
}
