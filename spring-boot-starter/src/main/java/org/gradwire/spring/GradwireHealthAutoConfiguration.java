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
 * Adds the health of the worker, as {@code gradwire}, where the application has {@code
 * spring-boot-health}, as Actuator does: down when the worker has left its group, or a peer is lost
 * without which the group cannot go on.
 */
@AutoConfiguration(after = GradwireAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "gradwire.spring.enabled", matchIfMissing = true)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnSingleCandidate(Rpc.class)
@ConditionalOnEnabledHealthIndicator("gradwire")
public final class GradwireHealthAutoConfiguration {

    /** Made by Spring. */
    GradwireHealthAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(name = {"gradwireHealthIndicator", "gradwireHealthContributor"})
    RpcHealthIndicator gradwireHealthIndicator(Rpc rpc) {
        return new RpcHealthIndicator(rpc);
    }
}
