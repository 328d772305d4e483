package org.gradwire.autograd;

import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Hooks, in the order they were added. Each handle removes its own, however often one was added.
 */
final class HookList<H> implements Iterable<H> {
    private final List<Registration<H>> registrations = new CopyOnWriteArrayList<>();

    /** A class, not a record, for it is compared by identity. */
    private static final class Registration<H> {
        final H hook;

        Registration(H hook) {
            this.hook = hook;
        }
    }

    HookHandle add(H hook) {
        var registration = new Registration<>(hook);
        registrations.add(registration);
        return () -> registrations.remove(registration);
    }

    boolean isEmpty() {
        return registrations.isEmpty();
    }

    @Override
    public Iterator<H> iterator() {
        return registrations.stream().map(registration -> registration.hook).iterator();
    }
}
