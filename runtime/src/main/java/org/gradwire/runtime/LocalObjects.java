package org.gradwire.runtime;

import org.gradwire.rpc.WorkerLocals;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** The objects of one worker, by class. */
final class LocalObjects implements WorkerLocals {
    private final Map<Class<?>, Object> objects = new ConcurrentHashMap<>();

    @Override
    public <T> T get(Class<T> type, Supplier<? extends T> initial) {
        return type.cast(objects.computeIfAbsent(type, _ -> initial.get()));
    }
}
