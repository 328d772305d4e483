package org.gradwire.runtime.wire;

import java.util.ArrayList;
import java.util.List;

/**
 * The objects left with a message for its interceptors. There are few kinds, so a list is searched.
 */
final class Notes {
    private record Note(Class<?> kind, Object object) {}

    private List<Note> notes = List.of();

    <T> void add(Class<T> kind, T object) {
        if (notes.isEmpty()) {
            notes = new ArrayList<>(4);
        }
        notes.add(new Note(kind, object));
    }

    <T> List<T> of(Class<T> kind) {
        if (notes.isEmpty()) {
            return List.of();
        }
        List<T> found = new ArrayList<>(notes.size());
        for (Note note : notes) {
            if (note.kind == kind) {
                found.add(kind.cast(note.object));
            }
        }
        return found;
    }
}
