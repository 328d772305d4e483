package org.gradwire.nn;

import org.gradwire.rpc.WireValue;

import java.util.List;

/**
 * The paths that differ between a module and a loaded state.
 *
 * @param missing paths that only the module has; they kept their values
 * @param unexpected paths that only the state has; they were ignored
 */
@WireValue
public record IncompatibleKeys(List<String> missing, List<String> unexpected) {

    /** Copies the lists. */
    public IncompatibleKeys {
        missing = List.copyOf(missing);
        unexpected = List.copyOf(unexpected);
    }
}
