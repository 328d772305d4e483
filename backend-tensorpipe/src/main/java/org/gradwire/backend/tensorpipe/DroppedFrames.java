package org.gradwire.backend.tensorpipe;

import io.aeron.driver.MediaDriver;

import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersReader;
import org.jspecify.annotations.Nullable;

/**
 * Counts the frames over UDP that a driver has dropped, since none of its workers expects their
 * source.
 */
final class DroppedFrames {
    private static final int TYPE_ID = 27_001; // Aeron leaves numbers above 1,000 to others
    private @Nullable AtomicCounter counter;

    /** {@return the counter, made with the first socket; on the driver's thread} */
    AtomicCounter counter(MediaDriver.Context context) {
        AtomicCounter made = counter;
        if (made == null) {
            made = context.countersManager().newCounter("gradwire: frames dropped", TYPE_ID);
            counter = made;
        }
        return made;
    }

    /** {@return the count of a driver, 0 when it has none} */
    static long in(CountersReader counters) {
        long[] count = {0};
        counters.forEach((id, typeId, _, _) ->
                count[0] += typeId == TYPE_ID ? counters.getCounterValue(id) : 0);
        return count[0];
    }
}
