package org.gradwire.conformance.functions;

import org.gradwire.nn.Module;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.List;

/** A module with four references to tensors of another worker. */
public final class ModuleWithReferences extends Module {
    private final List<RRef<Tensor>> references = new ArrayList<>();

    /** Have four tensors of twos made on a worker. */
    public ModuleWithReferences(Rpc rpc, String worker) {
        for (int i = 0; i < 4; i++) {
            references.add(rpc.remote(worker, ScriptFunctions::addOne, Tensor.ones(2, 2)));
        }
    }

    /** Add all that is referenced to the input. */
    public Tensor forward(Tensor input) {
        Tensor sum = input;
        for (RRef<Tensor> reference : references) {
            sum = sum.add(reference.toHere());
        }
        return sum;
    }
}
