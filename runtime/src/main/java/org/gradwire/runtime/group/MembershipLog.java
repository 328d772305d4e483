package org.gradwire.runtime.group;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.runtime.group.MembershipChange.Gap;
import org.gradwire.spi.Store;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * The log of a group's membership changes, in the store. All readers see the same changes in the
 * same order, and so the same members.
 *
 * <p>A writer reserves the next place by a counter, then writes to it. A writer that dies in
 * between leaves a gap, which readers close after a time.
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
     * Append a change, and return its place.
     *
     * @param taken receives the place before the change can be read
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
            // a reader has closed the gap, since it considered this writer dead
        }
    }

    /** {@return the number of places taken} */
    long length() {
        return store.add(LENGTH, 0);
    }

    /** {@return the change at a reserved place} */
    MembershipChange read(long place) {
        MembershipChange change = await(place, WRITING_TIME);
        if (change != null) {
            return change;
        }
        store.set(key(place), new Gap().encode());
        return new Gap();
    }

    /** {@return the change at a place; null if none appears in time} */
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
            // All readers skip it.
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "place {0} of the membership log is skipped: {1}",
                    place,
                    e.getMessage());
            return new Gap();
        }
    }

    private static String key(long place) {
        return "change/" + place;
    }
}
