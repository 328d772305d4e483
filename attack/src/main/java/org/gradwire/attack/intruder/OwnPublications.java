package org.gradwire.attack.intruder;

import io.aeron.ExclusivePublication;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/** Finds the publications on which an agent of this JVM writes to its peers. */
final class OwnPublications {
    private static final String OPENED = "org.gradwire.backend.tensorpipe";

    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<Object> waiting = new ArrayDeque<>();
    private final List<ExclusivePublication> found = new ArrayList<>();

    private OwnPublications() {}

    /** {@return the connected publications that are reachable from an agent} */
    static List<ExclusivePublication> of(Object agent) throws IllegalAccessException {
        var search = new OwnPublications();
        search.add(agent);
        for (Object next; (next = search.waiting.poll()) != null; ) {
            search.visit(next);
        }
        search.found.removeIf(publication -> !publication.isConnected());
        return search.found;
    }

    private void add(Object object) {
        if (object != null && seen.add(object)) {
            waiting.add(object);
        }
    }

    private void visit(Object object) throws IllegalAccessException {
        switch (object) {
            case ExclusivePublication publication -> found.add(publication);
            case Map<?, ?> map -> List.copyOf(map.values()).forEach(this::add);
            case Collection<?> all -> all.forEach(this::add);
            case Object[] array -> List.of(array).forEach(this::add);
            case AtomicReference<?> reference -> add(reference.get());
            default -> visitFields(object);
        }
    }

    private void visitFields(Object object) throws IllegalAccessException {
        for (Class<?> type = object.getClass();
                type != null && type.getName().startsWith(OPENED);
                type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
                    field.setAccessible(true);
                    add(field.get(object));
                }
            }
        }
    }
}
