package org.gradwire.bench;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

/** A system that is measured. Used by one thread. */
interface Subject extends AutoCloseable {

    /** {@return the name in the report} */
    String name();

    /** {@return what it can be asked for} */
    Set<Figure> figures();

    /** {@return whether it becomes faster while it runs} */
    default boolean compilesLate() {
        return true;
    }

    /** Do a figure's work for a time. */
    Timing measure(Figure figure, Duration time) throws Exception;

    /** Wait until nothing goes on that would disturb the others. */
    default void settle() throws Exception {}

    @Override
    void close();

    /** Return a subject that works in this process, whose peer can be asked to settle. */
    static Subject of(String name, Map<Figure, Task> tasks, Task.Call settlePeer) {
        return new Subject() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Set<Figure> figures() {
                return tasks.keySet();
            }

            @Override
            public Timing measure(Figure figure, Duration time) throws Exception {
                Task task = tasks.get(figure);
                if (task == null) {
                    throw new IllegalArgumentException(name + " has no " + figure.label());
                }
                return task.measure(time);
            }

            @Override
            public void settle() throws Exception {
                Compiler.settle();
                settlePeer.run();
            }

            @Override
            public void close() {}
        };
    }
}
