package org.gradwire.spring;

import org.gradwire.rpc.Rpc;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * Adds the health of the worker, as {@code gradwire}, if the application has {@code
 * spring-boot-health}, as with Actuator. The health is down when the worker has left its group, or
 * has lost a peer without which the group cannot continue.
 */
@AutoConfiguration(after = GradwireAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "gradwire.spring.enabled", matchIfMissing = true)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnSingleCandidate(Rpc.class)
@ConditionalOnEnabledHealthIndicator("gradwire")
public final class GradwireHealthAutoConfiguration {

    /** For Spring. */
    GradwireHealthAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(name = {"gradwireHealthIndicator", "gradwireHealthContributor"})
    RpcHealthIndicator gradwireHealthIndicator(Rpc rpc) {
        return new RpcHealthIndicator(rpc);
    }
}
