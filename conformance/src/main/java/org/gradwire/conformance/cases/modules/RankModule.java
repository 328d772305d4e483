package org.gradwire.conformance.cases.modules;

import org.gradwire.nn.Module;
import org.gradwire.nn.WireModule;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/** A module with a tensor of as many ones as its rank: MyScriptModule in PyTorch's tests. */
@RemoteCallable
@WireValue
public final class RankModule extends Module
        implements ForwardModule, WireModule<RankModule.Configuration> {
    private final Tensor ones;

    /** Constructor arguments of the module. */
    @WireValue
    public record Configuration(Tensor ones) {}

    public RankModule(int rank) {
        this(new Configuration(Tensor.ones(rank)));
    }

    public RankModule(Configuration configuration) {
        ones = configuration.ones();
    }

    @Override
    public Configuration configuration() {
        return new Configuration(ones);
    }

    @Override
    public Tensor forward() {
        return ones;
    }

    /** Return the module's tensor by a method that its interface does not have. */
    public Tensor customFunction() {
        return ones;
    }
}
