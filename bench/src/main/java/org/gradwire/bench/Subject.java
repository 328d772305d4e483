package org.gradwire.bench;

import org.gradwire.bench.process.Compiler;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

/** A system under test. Confined to one thread. */
interface Subject extends AutoCloseable {

    /** {@return the name in the report} */
    String name();

    /** {@return the supported metrics} */
    Set<Metric> metrics();

    /** {@return whether the system becomes faster while it runs} */
    default boolean compilesLate() {
        return true;
    }

    /** Run a metric's workload for a time. */
    Timing measure(Metric metric, Duration time) throws Exception;

    /** Wait until no background activity disturbs other systems. */
    default void settle() throws Exception {}

    @Override
    void close();

    /** Return a subject in this process, with a call that lets its peer settle. */
    static Subject of(String name, Map<Metric, Workload> workloads, Workload.Call settlePeer) {
        return new Subject() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Set<Metric> metrics() {
                return workloads.keySet();
            }

            @Override
            public Timing measure(Metric metric, Duration time) throws Exception {
                Workload workload = workloads.get(metric);
                if (workload == null) {
                    throw new IllegalArgumentException(name + " has no " + metric.label());
                }
                return workload.measure(time);
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
