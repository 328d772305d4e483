package org.gradwire.spring;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.rpc.RpcProvider;
import org.gradwire.rpc.UdfCodec;
import org.gradwire.spring.worker.SpringExtension;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.AbstractFactoryBean;
import org.springframework.context.ConfigurableApplicationContext;

import java.time.Duration;

/** Starts the worker of an application context, and shuts it down with the context. */
final class RpcFactoryBean extends AbstractFactoryBean<Rpc> {
    private final ConfigurableApplicationContext context;
    private final ObjectProvider<UdfCodec> codecs;

    RpcFactoryBean(ConfigurableApplicationContext context, ObjectProvider<UdfCodec> codecs) {
        this.context = context;
        this.codecs = codecs;
    }

    @Override
    public Class<Rpc> getObjectType() {
        return Rpc.class;
    }

    @Override
    protected Rpc createInstance() {
        var options = RpcOptions.builder();
        EnvironmentSettings.read(context.getEnvironment(), RpcProvider.installed().settingKeys())
                .forEach(options::set);
        codecs.orderedStream().forEach(options::udfCodec);
        return Rpc.init(options.build());
    }

    /** Shut the worker down; at once if the context failed to start, which is then not closed. */
    @Override
    protected void destroyInstance(@Nullable Rpc rpc) {
        if (rpc == null) {
            return; // the worker did not start
        }
        if (context.isClosed()) {
            SpringExtension.of(rpc)
                    .map(SpringExtension::shutdownTimeout)
                    .filter(Duration::isPositive) // 0s: without a timeout
                    .ifPresentOrElse(rpc::shutdown, rpc::shutdown);
        } else {
            rpc.shutdownNow();
        }
    }
}
