package org.gradwire.attack.site;

import org.gradwire.attack.victim.Guest;
import org.gradwire.attack.victim.Victim;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The process of a {@link Guest} of a group. */
public final class Member implements AutoCloseable {
    private static final long SECONDS_TO_LEAVE = 30;

    private final Child child;

    Member(Child child) {
        this.child = child;
    }

    /**
     * Wait until it has joined and called the victim.
     *
     * @throws IOException when it is refused, or does neither in time
     */
    public void awaitReady(Duration time) throws IOException {
        String line = child.await("", time);
        if (!line.equals(Victim.READY)) {
            throw new IOException("a worker with a valid certificate was " + line);
        }
    }

    /**
     * Wait until the group refuses it.
     *
     * @throws IOException when it does not in time
     */
    public void awaitRefusal(Duration time) throws IOException {
        String _ = child.await(Guest.REFUSED, time);
    }

    /** End its process, which leaves the group first. */
    @Override
    public void close() throws IOException {
        try (child) {
            if (child.isAlive()) {
                child.say(Guest.END);
            }
            if (!child.process().waitFor(SECONDS_TO_LEAVE, TimeUnit.SECONDS)) {
                throw new IOException("a worker has not left the group; see " + child.log());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
