package org.gradwire.spring;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spring.worker.SpringExtension;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

import java.util.Map;
import java.util.TreeMap;

/** The health of a worker: up while it can reach its group. */
final class RpcHealthIndicator implements HealthIndicator {
    private final Rpc rpc;

    RpcHealthIndicator(Rpc rpc) {
        this.rpc = rpc;
    }

    @Override
    public Health health() {
        var health = Health.up();
        health.withDetail("name", rpc.self().name()).withDetail("id", rpc.self().id());
        health.withDetail("backend", rpc.debugInfo().getOrDefault("agent.backend", "unknown"));
        try {
            health.withDetail("workers", rpc.workers().size());
            Map<String, String> lost = lost();
            if (!lost.isEmpty()) {
                health.down().withDetail("lost", lost);
            }
        } catch (RpcException e) {
            health.down(e); // the worker has left its group
        }
        return health.build();
    }

    /** {@return the causes of lost peers, by name} */
    private Map<String, String> lost() {
        Map<String, String> reasons = new TreeMap<>();
        SpringExtension.of(rpc)
                .ifPresent(extension ->
                        extension
                                .lost()
                                .forEach((id, reason) ->
                                        reasons.put(name(id), reason.getMessage())));
        return reasons;
    }

    private String name(int id) {
        return rpc.workers().stream()
                .filter(worker -> worker.id() == id)
                .map(WorkerInfo::name)
                .findFirst()
                .orElseGet(() -> Integer.toString(id));
    }
}
