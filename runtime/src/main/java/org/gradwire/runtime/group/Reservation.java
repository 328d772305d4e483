package org.gradwire.runtime.group;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.Store;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** The name and the id of a worker, reserved in the store of a dynamic group. */
final class Reservation {
    private static final String JUST_JOINING = "(just joining)";

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
        reservation.setHolder();
        return reservation;
    }

    /**
     * Reserve the name and the id of an earlier process of a worker as well. Its own reservation is
     * released with its loss, unless it never joined.
     *
     * @throws RpcConfigurationException when another worker has one of them
     */
    static Reservation takeOver(Store store, WorkerInfo worker) {
        var reservation = new Reservation(store, worker);
        reservation.requireFreeOrOwn("who/id/" + worker.id(), reservation.idKey(), worker.name());
        reservation.requireFreeOrOwn(
                "who/name/" + worker.name(), reservation.nameKey(), Integer.toString(worker.id()));
        store.add(reservation.idKey(), 1);
        store.add(reservation.nameKey(), 1);
        reservation.setHolder();
        return reservation;
    }

    private void requireFreeOrOwn(String holderKey, String takenKey, String expected) {
        if (store.add(takenKey, 0) > 0) {
            String holder = holder(store, holderKey);
            if (!holder.equals(expected) && !holder.equals(JUST_JOINING)) {
                throw new RpcConfigurationException(
                        "%s cannot take over from an earlier process: %s is reserved by worker %s; set the same gradwire.name and gradwire.rank as that had"
                                .formatted(worker, takenKey.substring("taken/".length()), holder));
            }
        }
    }

    private void setHolder() {
        store.set("who/id/" + worker.id(), worker.name().getBytes(StandardCharsets.UTF_8));
        store.set(
                "who/name/" + worker.name(),
                Integer.toString(worker.id()).getBytes(StandardCharsets.UTF_8));
    }

    private static String holder(Store store, String key) {
        try {
            return new String(store.get(key, Duration.ZERO), StandardCharsets.UTF_8);
        } catch (RpcTimeoutException _) {
            return JUST_JOINING;
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
