package org.gradwire.runtime.function;

import org.gradwire.runtime.function.FunctionTable.ResolvedReference;

/** A method reference that a peer sent, or that reflection found. */
sealed interface ReceivedReference permits ReceivedFunction, ReceivedAction {

    /** {@return its function} */
    ResolvedReference resolved();
}
