package org.gradwire.backend.tensorpipe.driver;

import io.aeron.driver.MediaDriver;

import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersReader;
import org.jspecify.annotations.Nullable;

/**
 * Counts frames and datagrams over UDP that a driver has dropped: frames because none of its
 * workers expects their source, and sealed datagrams because they are not authentic or came twice.
 */
public final class DroppedFrames {
    private static final int FRAMES_TYPE_ID = 27_001; // Aeron leaves numbers above 1,000 to others
    private static final int DATAGRAMS_TYPE_ID = 27_002;
    private @Nullable AtomicCounter frames;
    private @Nullable AtomicCounter datagrams;

    /** {@return the counter of frames, created with the first socket; on the driver's thread} */
    AtomicCounter frames(MediaDriver.Context context) {
        AtomicCounter made = frames;
        if (made == null) {
            made = context.countersManager().newCounter("gradwire: frames dropped", FRAMES_TYPE_ID);
            frames = made;
        }
        return made;
    }

    /** {@return the counter of datagrams, created with the first socket; on the driver's thread} */
    AtomicCounter datagrams(MediaDriver.Context context) {
        AtomicCounter made = datagrams;
        if (made == null) {
            made =
                    context.countersManager()
                            .newCounter("gradwire: datagrams refused", DATAGRAMS_TYPE_ID);
            datagrams = made;
        }
        return made;
    }

    /** {@return the count of frames of a driver, 0 when it has none} */
    public static long in(CountersReader counters) {
        return count(counters, FRAMES_TYPE_ID);
    }

    /** {@return the count of sealed datagrams of a driver, 0 when it has none} */
    public static long datagramsIn(CountersReader counters) {
        return count(counters, DATAGRAMS_TYPE_ID);
    }

    private static long count(CountersReader counters, int wantedTypeId) {
        long[] count = {0};
        counters.forEach((id, typeId, _, _) ->
                count[0] += typeId == wantedTypeId ? counters.getCounterValue(id) : 0);
        return count[0];
    }
}
