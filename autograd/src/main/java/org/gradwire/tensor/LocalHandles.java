package org.gradwire.tensor;

import org.gradwire.tensor.dispatch.Dispatcher;
import org.gradwire.tensor.dispatch.OperatorHandle;

/** Functions of tensors that remote callers cannot call, found by name. */
final class LocalHandles {
    static final OperatorHandle AT = Dispatcher.find("gradwire::at");
    static final OperatorHandle INDEX_PUT = Dispatcher.find("gradwire::index_put");
    static final OperatorHandle BERNOULLI = Dispatcher.find("gradwire::bernoulli");
    static final OperatorHandle MULTINOMIAL = Dispatcher.find("gradwire::multinomial");
    static final OperatorHandle DROPOUT = Dispatcher.find("gradwire::dropout");
    static final OperatorHandle PRINT = Dispatcher.find("gradwire::print");

    private LocalHandles() {}
}
