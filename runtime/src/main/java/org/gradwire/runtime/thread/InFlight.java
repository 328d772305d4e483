package org.gradwire.runtime.thread;

import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The work of a worker for which an orderly shutdown waits.
 *
 * @param outgoing calls that the worker makes
 * @param incoming calls of peers that it serves
 * @param unsent control messages that wait to be sent, for the first time or again
 */
public record InFlight(InFlightCounter outgoing, InFlightCounter incoming, InFlightCounter unsent) {

    /** Start with nothing in flight. */
    public InFlight() {
        this(new InFlightCounter(), new InFlightCounter(), new InFlightCounter());
    }

    /** {@return the counters} */
    public List<InFlightCounter> kinds() {
        return List.of(unsent, outgoing, incoming);
    }

    /**
     * Wait until none is in flight; see {@link InFlightCounter#awaitNone(List, BooleanSupplier)}.
     */
    public boolean awaitNone(BooleanSupplier giveUp) throws InterruptedException {
        return InFlightCounter.awaitNone(kinds(), giveUp);
    }

    @Override
    public String toString() {
        return "%d calls of this worker and %d calls of peers are still in flight, and %d control messages wait to be sent"
                .formatted(outgoing.count(), incoming.count(), unsent.count());
    }
}
