package org.gradwire.spring;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.UdfCodec;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/**
 * Makes a worker a bean, unless the application has a bean of type {@link Rpc} itself or sets
 * {@code gradwire.spring.enabled=false}.
 *
 * <p>Each setting of Gradwire is a property of the same key; beans of type {@link UdfCodec} are
 * registered. The worker joins its group while the context starts, which fails when the other
 * workers do not join within {@code gradwire.rpc-timeout}. It leaves when the context closes: after
 * the web server and all lifecycle beans have stopped and the beans that depend on it are
 * destroyed. It then waits for the other workers, at most {@code gradwire.spring.shutdown-timeout}.
 * If the context fails to start, it leaves immediately.
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "gradwire.spring.enabled", matchIfMissing = true)
public final class GradwireAutoConfiguration {

    /** For Spring. */
    GradwireAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(Rpc.class)
    RpcFactoryBean rpc(ConfigurableApplicationContext context, ObjectProvider<UdfCodec> codecs) {
        return new RpcFactoryBean(context, codecs);
    }
}
