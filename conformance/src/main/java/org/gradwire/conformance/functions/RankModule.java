package org.gradwire.conformance.functions;

import org.gradwire.nn.Module;
import org.gradwire.nn.WireModule;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/** A module that holds as many ones as its rank says: what PyTorch's tests call MyScriptModule. */
@RemoteCallable
@WireValue
public final class RankModule extends Module
        implements ForwardModule, WireModule<RankModule.Configuration> {
    private final Tensor ones;

    /** What a module is made from. */
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

    /** Return what the module holds, by a method that is not in its interface. */
    public Tensor customFunction() {
        return ones;
    }
}
