package org.gradwire.runtime;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.runtime.MembershipChange.Gap;
import org.gradwire.spi.Store;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * The changes of a group in the order in which they took effect, in the store: who reads them from
 * the first to the last knows the members, and all who do know the same.
 *
 * <p>A writer takes the next place, by adding to a number, and writes there. One that ended between
 * the two leaves a gap, which readers close after a while.
 */
final class MembershipLog {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.groups");
    private static final Duration WRITING_TIME = Duration.ofSeconds(5);
    private static final String LENGTH = "changes";

    private final Store store;

    MembershipLog(Store store) {
        this.store = store;
    }

    /** Append a change, and return its place; the first one is 1. */
    long append(MembershipChange change) {
        return append(change, _ -> {});
    }

    /**
     * As {@link #append(MembershipChange)}.
     *
     * @param taken told the place before anybody can read the change there
     */
    long append(MembershipChange change, LongConsumer taken) {
        byte[] entry = change.encode();
        while (true) {
            long place = store.add(LENGTH, 1);
            taken.accept(place);
            store.set(key(place), entry);
            if (Arrays.equals(store.get(key(place), Duration.ZERO), entry)) {
                return place;
            }
            // a reader took this writer for dead, and closed the gap
        }
    }

    /** {@return how many places have been taken} */
    long length() {
        return store.add(LENGTH, 0);
    }

    /** {@return the change at a place that has been taken} */
    MembershipChange read(long place) {
        MembershipChange change = await(place, WRITING_TIME);
        if (change != null) {
            return change;
        }
        store.set(key(place), new Gap().encode());
        return new Gap();
    }

    /** {@return the change at a place, or null when there is none in time} */
    @Nullable MembershipChange await(long place, Duration time) {
        byte[] entry;
        try {
            entry = store.get(key(place), time);
        } catch (RpcTimeoutException _) {
            return null;
        }
        try {
            return MembershipChange.decode(entry);
        } catch (RpcException e) {
            // All read the same, and so nobody is kept from what follows.
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "place {0} of the membership log is passed over: {1}",
                    place,
                    e.getMessage());
            return new Gap();
        }
    }

    private static String key(long place) {
        return "change/" + place;
    }
}
