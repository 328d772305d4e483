package org.gradwire.backend.tensorpipe;

import org.gradwire.backend.tensorpipe.address.NetworkAddress;
import org.gradwire.backend.tensorpipe.address.Route;
import org.gradwire.backend.tensorpipe.address.WorkerAddress;
import org.gradwire.backend.tensorpipe.config.TensorPipeOptions;
import org.gradwire.backend.tensorpipe.seal.PairSecret;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.AgentContext;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;

/**
 * Discovers peers: reads addresses from the store, adds new peers, and waits until they are
 * connected.
 */
final class PeerDiscovery {
    private static final String ADDRESS = "tensorpipe/address";

    private final WorkerInfo self;
    private final Store store;
    private final TensorPipeOptions options;
    private final WorkerAddress address;
    private final RouteSelector routes;
    private final NetworkEndpoint endpoint;
    private final EndpointExchange endpoints;
    private final PeerFactory factory;
    private final PeerConnector connector;

    PeerDiscovery(
            AgentContext context,
            TensorPipeOptions options,
            WorkerAddress own,
            RouteSelector routes,
            NetworkEndpoint endpoint,
            PeerFactory factory,
            PeerConnector connector) {
        self = context.self();
        store = context.store();
        this.options = options;
        address = own;
        this.routes = routes;
        this.endpoint = endpoint;
        this.factory = factory;
        this.connector = connector;
        endpoints = new EndpointExchange(endpoint, self, own, store);
    }

    /** Publish this worker's address in the store. */
    void publishAddress() {
        store.set(Store.keyOf(self.name(), ADDRESS), address.encode());
    }

    /** Add new members, and wait for those that are connected at once. */
    synchronized void connect(List<WorkerInfo> members) {
        long deadline = System.nanoTime() + options.connectTimeoutNanos();
        endpoints.begin();
        Map<WorkerInfo, WorkerAddress> addresses = readAddresses(members, deadline);
        NavigableSet<Integer> neighbours = routes.neighbours(addresses);
        int termLength = routes.ipcTermLength(neighbours.size());
        List<Peer> awaited = new ArrayList<>();
        List<Peer> byMemory = new ArrayList<>();
        Map<WorkerInfo, WorkerAddress> byNetwork = new LinkedHashMap<>();
        addresses.forEach((member, found) -> {
            Peer known = connector.known(member, found);
            if (known != null) {
                awaited.add(known);
            } else if (found.sharesMemoryWith(address)) {
                Route route = routes.ipc(member.id(), found, neighbours.first(), termLength);
                byMemory.add(factory.byMemory(member, found, route));
            } else {
                byNetwork.put(member, found);
            }
        });
        connector.addAll(byMemory);
        awaited.addAll(byMemory);
        if (!byNetwork.isEmpty()) {
            awaited.addAll(addByNetwork(endpoints.publish(), byNetwork, deadline));
        }
        awaited.forEach(peer -> connector.awaitOpen(peer, deadline));
    }

    /** Add all members that can be added, then throw the first failure, if any. */
    private List<Peer> addByNetwork(
            NetworkAddress own, Map<WorkerInfo, WorkerAddress> members, long deadline) {
        var added = new ArrayList<Peer>();
        var failures = new ArrayList<RpcException>();
        members.forEach((member, found) -> {
            try {
                NetworkAddress at = endpoints.await(member, found, deadline);
                PairSecret secret = endpoint.agree(member, found, at);
                Route route = routes.udp(found, own, at, secret);
                endpoint.expect(own, route.host());
                Peer peer = factory.byNetwork(member, found, route, own, at);
                connector.addAll(List.of(peer));
                added.add(peer);
            } catch (RpcException e) {
                failures.add(e);
            }
        });
        if (!failures.isEmpty()) {
            throw failures.getFirst();
        }
        return added;
    }

    /** Publish the network endpoint again, if the worker has another certificate. */
    void renewEndpoint() {
        endpoints.renew();
    }

    /** {@return the network endpoint that a connected peer has published last} */
    NetworkAddress published(Peer peer) {
        return endpoints.published(peer.info(), peer.address());
    }

    /** Stop waiting for a member that has left the group. For any thread. */
    void onLeft(int member) {
        endpoints.onLeft(member);
    }

    private Map<WorkerInfo, WorkerAddress> readAddresses(List<WorkerInfo> members, long deadline) {
        Map<WorkerInfo, WorkerAddress> addresses = new LinkedHashMap<>();
        for (WorkerInfo member : members) {
            if (member.id() != self.id()) {
                addresses.put(member, readAddress(member, deadline));
            }
        }
        return addresses;
    }

    private WorkerAddress readAddress(WorkerInfo member, long deadline) {
        long nanos = Math.max(1, deadline - System.nanoTime());
        byte[] bytes = store.get(Store.keyOf(member.name(), ADDRESS), Duration.ofNanos(nanos));
        try {
            return WorkerAddress.decode(bytes);
        } catch (DecodingException e) {
            throw new RpcConfigurationException(
                    "the address of %s cannot be used: %s".formatted(member, e.getMessage()), e);
        }
    }
}
