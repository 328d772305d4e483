package org.gradwire.autograd;

import org.gradwire.spi.CallMemory;
import org.gradwire.spi.Input;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;

import java.util.List;

/**
 * Gives back the tensors of calls that keep none: what came for them and what they made. Within a
 * context the graph still needs them, so it is the context that gives them back.
 */
final class ScopedCalls implements CallMemory {
    private final ContextContainer contexts;

    ScopedCalls(ContextContainer contexts) {
        this.contexts = contexts;
    }

    @Override
    public Runnable begin(Input request) {
        TensorScope scope = TensorScope.open();
        List<Tensor> received = request.noted(Tensor.class);
        for (int i = 0; i < received.size(); i++) { // no iterator, as this is done for each call
            scope.add(received.get(i));
        }
        return () -> {
            AutogradContext context = contexts.currentOrNull();
            if (context == null) {
                scope.close();
            } else {
                context.addMemory(scope.leave());
            }
        };
    }
}
