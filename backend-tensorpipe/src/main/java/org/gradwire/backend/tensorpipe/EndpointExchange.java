package org.gradwire.backend.tensorpipe;

import org.gradwire.backend.tensorpipe.address.NetworkAddress;
import org.gradwire.backend.tensorpipe.address.WorkerAddress;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Store;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Exchanges network endpoints with peers with which this worker shares no memory, through the
 * store. From the addresses each side knows that; it opens and publishes its endpoint, then waits
 * for the other's. Thread-safe.
 */
final class EndpointExchange {
    private static final String ENDPOINT = "tensorpipe/endpoint/";
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final NetworkEndpoint own;
    private final WorkerInfo self;
    private final WorkerAddress address;
    private final Store store;
    private final Set<Integer> gone = ConcurrentHashMap.newKeySet();
    private boolean isPublished; // guarded by this

    EndpointExchange(NetworkEndpoint own, WorkerInfo self, WorkerAddress address, Store store) {
        this.own = own;
        this.self = self;
        this.address = address;
        this.store = store;
    }

    /**
     * Open and publish this worker's endpoint, if not done yet, and return it.
     *
     * @throws RpcConfigurationException when no UDP socket can be opened
     */
    synchronized NetworkAddress publish() {
        NetworkAddress opened = own.open();
        if (!isPublished) {
            store.set(key(self, address), opened.encode());
            isPublished = true;
        }
        return opened;
    }

    /** Publish the endpoint again, if the worker has another certificate. */
    synchronized void renew() {
        NetworkAddress renewed = own.renew();
        if (renewed != null) {
            store.set(key(self, address), renewed.encode());
        }
    }

    // The incarnation excludes the endpoint of an earlier worker with the same name.
    private static String key(WorkerInfo worker, WorkerAddress of) {
        return Store.keyOf(worker.name(), ENDPOINT + Long.toHexString(of.incarnation()));
    }

    /** Begin to wait for members, including ids that have left before. */
    void begin() {
        gone.clear();
    }

    /** Stop waiting for a member that has left the group. For any thread. */
    void onLeft(int member) {
        gone.add(member);
    }

    /**
     * {@return the endpoint of a peer; waits until it is published}
     *
     * @throws RpcConnectionException if the deadline passes, or the peer leaves or ends
     */
    NetworkAddress await(WorkerInfo member, WorkerAddress of, long deadline) {
        long start = System.nanoTime();
        while (true) {
            long left = Math.max(1, deadline - System.nanoTime());
            try {
                return NetworkAddress.decode(
                        store.get(key(member, of), Duration.ofNanos(Math.min(left, LOOK_NANOS))));
            } catch (RpcTimeoutException e) {
                requireAwaited(member, of, start, deadline);
            } catch (DecodingException e) {
                throw new RpcConfigurationException(
                        "the endpoint of %s cannot be used: %s".formatted(member, e.getMessage()),
                        e);
            }
        }
    }

    /**
     * {@return the endpoint that a connected peer has published last}
     *
     * @throws RpcException when there is none, or the store fails
     * @throws DecodingException when it is invalid
     */
    NetworkAddress published(WorkerInfo member, WorkerAddress of) {
        return NetworkAddress.decode(store.get(key(member, of), Duration.ZERO));
    }

    private void requireAwaited(WorkerInfo member, WorkerAddress of, long start, long deadline) {
        String label = member.name() + " (id " + member.id() + ")";
        if (gone.contains(member.id())) {
            throw new RpcConnectionException(
                    "Connection closed by peer %s: it has left the group".formatted(label));
        }
        if (of.host().equals(address.host()) && of.process().hasEnded()) {
            throw new RpcConnectionException(
                    "Connection reset by peer %s: its process %d has ended"
                            .formatted(label, of.process().pid()));
        }
        if (System.nanoTime() - deadline >= 0) {
            throw new RpcConnectionException(
                    "%s could not be reached: it shares no memory with %s, and has opened no network endpoint in %d ms"
                            .formatted(
                                    label, self.name(), (System.nanoTime() - start) / 1_000_000));
        }
    }
}
