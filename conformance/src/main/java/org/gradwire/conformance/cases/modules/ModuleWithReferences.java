package org.gradwire.conformance.cases.modules;

import org.gradwire.conformance.functions.ScriptFunctions;
import org.gradwire.nn.Module;
import org.gradwire.nn.WireModule;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.List;

/** A module with four references to tensors of another worker. */
@WireValue
public final class ModuleWithReferences extends Module
        implements WireModule<ModuleWithReferences.Configuration>, AutoCloseable {
    private final List<RRef<Tensor>> references;

    /** Constructor arguments of the module. */
    @WireValue
    public record Configuration(List<RRef<Tensor>> references) {}

    /** Create four tensors of twos on a worker. */
    public ModuleWithReferences(Rpc rpc, String worker) {
        this(new Configuration(remoteTwos(rpc, worker)));
    }

    public ModuleWithReferences(Configuration configuration) {
        references = List.copyOf(configuration.references());
    }

    private static List<RRef<Tensor>> remoteTwos(Rpc rpc, String worker) {
        List<RRef<Tensor>> made = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            made.add(rpc.remote(worker, ScriptFunctions::addOne, Tensor.ones(2, 2)));
        }
        return made;
    }

    @Override
    public Configuration configuration() {
        return new Configuration(references);
    }

    /** Add all referenced tensors to the input. */
    public Tensor forward(Tensor input) {
        Tensor sum = input;
        for (RRef<Tensor> reference : references) {
            sum = sum.add(reference.toHere());
        }
        return sum;
    }

    /** Close the references. */
    @Override
    public void close() {
        references.forEach(RRef::close);
    }
}
