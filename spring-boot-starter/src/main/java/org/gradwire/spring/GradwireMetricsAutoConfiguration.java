package org.gradwire.spring;

import io.micrometer.core.instrument.binder.MeterBinder;

import org.gradwire.rpc.Rpc;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/**
 * Adds the worker's metrics and the timers of its calls to the application's meters, if it has
 * {@code micrometer-core}.
 */
@AutoConfiguration(after = GradwireAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "gradwire.spring.enabled", matchIfMissing = true)
@ConditionalOnClass(MeterBinder.class)
@ConditionalOnSingleCandidate(Rpc.class)
public final class GradwireMetricsAutoConfiguration {

    /** For Spring. */
    GradwireMetricsAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(RpcMetrics.class)
    RpcMetrics gradwireMetrics(Rpc rpc) {
        return new RpcMetrics(rpc);
    }
}
