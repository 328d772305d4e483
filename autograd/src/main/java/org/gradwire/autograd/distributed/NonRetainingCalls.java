package org.gradwire.autograd.distributed;

import org.gradwire.spi.CallArena;
import org.gradwire.spi.Input;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;

import java.util.List;

/**
 * Frees the tensors that non-retaining calls receive and create. The graph of a context still needs
 * those of its calls, so they are freed with the context.
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
        for (int i = 0; i < received.size(); i++) { // no iterator: on the path of each call
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
