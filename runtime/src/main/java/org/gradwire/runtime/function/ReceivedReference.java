package org.gradwire.runtime.function;

import org.gradwire.runtime.function.FunctionTable.ResolvedReference;

/** A method reference that came from another worker, or of a method known by reflection. */
sealed interface ReceivedReference permits ReceivedFunction, ReceivedAction {

    /** {@return what it stands for} */
    ResolvedReference resolved();
}
