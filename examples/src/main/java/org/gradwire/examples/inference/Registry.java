package org.gradwire.examples.inference;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.WorkerInfo;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The replicas that have joined. The first member of a dynamic group starts alone: so each new
 * worker announces itself to the front worker if that has joined, and the front worker, on joining,
 * looks up the present members.
 */
public final class Registry {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<String> names = new TreeSet<>();

    private Registry() {}

    private static Registry of(Rpc rpc) {
        return rpc.locals().get(Registry.class, Registry::new);
    }

    /** Announce this worker to the front worker, if that has joined. */
    static void announceTo(int front, Rpc rpc) {
        rpc.workers().stream()
                .filter(worker -> worker.id() == front)
                .forEach(worker ->
                        rpc.runSync(worker.name(), Registry::announce, rpc.self().name()));
    }

    @RemoteCallable
    public static void announce(String name) {
        of(Rpc.current()).add(name);
    }

    private void add(String name) {
        lock.lock();
        try {
            names.add(name);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Wait on the front worker until enough replicas have joined; {@return their names} */
    static List<String> await(int replicas, Rpc rpc) throws InterruptedException {
        Registry registry = of(rpc);
        rpc.workers().stream()
                .filter(worker -> !worker.equals(rpc.self()))
                .map(WorkerInfo::name)
                .forEach(registry::add);
        return registry.await(replicas);
    }

    private List<String> await(int replicas) throws InterruptedException {
        lock.lock();
        try {
            long left = PATIENCE.toNanos();
            while (names.size() < replicas) {
                if (left <= 0) {
                    throw new IllegalStateException(
                            "only %s joined within %s, not %d replicas; have they been started?"
                                    .formatted(names, PATIENCE, replicas));
                }
                left = changed.awaitNanos(left);
            }
            return List.copyOf(names);
        } finally {
            lock.unlock();
        }
    }
}
