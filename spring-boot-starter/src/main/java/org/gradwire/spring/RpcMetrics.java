package org.gradwire.spring;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

import org.gradwire.rpc.Rpc;
import org.gradwire.spring.worker.SpringExtension;

/**
 * Publishes the numeric metrics of {@link Rpc#debugInfo} as gauges, under their keys with the
 * prefix {@code gradwire.}, and the timers of calls.
 */
final class RpcMetrics implements MeterBinder {
    private final Rpc rpc;

    RpcMetrics(Rpc rpc) {
        this.rpc = rpc;
    }

    /** Register the meters; a metric that is absent now gets no gauge. */
    @Override
    public void bindTo(MeterRegistry registry) {
        var metrics = new MetricsSnapshot(rpc::debugInfo, registry.config().clock());
        String worker = rpc.self().name();
        for (String key : metrics.numbers()) {
            Gauge.builder("gradwire." + key, metrics, all -> all.value(key))
                    .tag("worker", worker)
                    .strongReference(true)
                    .description(key + " of docs/debug-info.md")
                    .register(registry);
        }
        SpringExtension.of(rpc)
                .ifPresent(extension -> extension.observe(new CallTimer(registry, worker)));
    }
}
