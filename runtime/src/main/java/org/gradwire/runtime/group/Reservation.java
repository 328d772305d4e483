package org.gradwire.runtime.group;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.Store;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** The name and the id of a worker, reserved in the store of a dynamic group. */
final class Reservation {
    private final Store store;
    private final WorkerInfo worker;

    private Reservation(Store store, WorkerInfo worker) {
        this.store = store;
        this.worker = worker;
    }

    /** {@return the reservation that a member has made} */
    static Reservation of(Store store, WorkerInfo member) {
        return new Reservation(store, member);
    }

    /**
     * Reserve the name and the id of a worker.
     *
     * @throws RpcConfigurationException when a member has one of them already
     */
    static Reservation take(Store store, WorkerInfo worker) {
        var reservation = new Reservation(store, worker);
        if (store.add(reservation.idKey(), 1) > 1) {
            store.add(reservation.idKey(), -1);
            throw new RpcConfigurationException(
                    "RPC worker id %d is not unique: worker %s has it already, so %s cannot join; choose another gradwire.rank"
                            .formatted(
                                    worker.id(),
                                    holder(store, "who/id/" + worker.id()),
                                    worker.name()));
        }
        if (store.add(reservation.nameKey(), 1) > 1) {
            store.add(reservation.nameKey(), -1);
            store.add(reservation.idKey(), -1);
            throw new RpcConfigurationException(
                    "RPC worker name %s is not unique. Workers %s and %d share the same name."
                            .formatted(
                                    worker.name(),
                                    holder(store, "who/name/" + worker.name()),
                                    worker.id()));
        }
        store.set("who/id/" + worker.id(), worker.name().getBytes(StandardCharsets.UTF_8));
        store.set(
                "who/name/" + worker.name(),
                Integer.toString(worker.id()).getBytes(StandardCharsets.UTF_8));
        return reservation;
    }

    private static String holder(Store store, String key) {
        try {
            return new String(store.get(key, Duration.ZERO), StandardCharsets.UTF_8);
        } catch (RpcTimeoutException _) {
            return "(just joining)";
        }
    }

    void release() {
        store.add(nameKey(), -1);
        store.add(idKey(), -1);
    }

    private String idKey() {
        return "taken/id/" + worker.id();
    }

    private String nameKey() {
        return "taken/name/" + worker.name();
    }
}
