package org.gradwire.autograd.distributed;

import org.gradwire.spi.CallArena;
import org.gradwire.spi.Input;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;

import java.util.List;

/**
 * Gives back the tensors of calls that keep none: what came for them and what they made. Within a
 * context the graph still needs them, so it is the context that gives them back.
 */
final class NonRetainingCalls implements CallArena {
    private final ContextContainer contexts;

    NonRetainingCalls(ContextContainer contexts) {
        this.contexts = contexts;
    }

    @Override
    public Runnable begin(Input request) {
        TensorScope scope = TensorScope.open();
        List<Tensor> received = request.attached(Tensor.class);
        for (int i = 0; i < received.size(); i++) { // no iterator, as this is done for each call
            scope.add(received.get(i));
        }
        return () -> {
            ContextState context = contexts.currentOrNull();
            if (context == null) {
                scope.close();
            } else {
                context.addMemory(scope.leave());
            }
        };
    }
}
