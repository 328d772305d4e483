package org.gradwire.nn;

import org.gradwire.rpc.WireValue;

import java.util.List;

/**
 * The paths in which a module and a state that was loaded into it differ.
 *
 * @param missing paths of the module that the state lacks; they kept their values
 * @param unexpected paths of the state that the module lacks; they were left out
 */
@WireValue
public record IncompatibleKeys(List<String> missing, List<String> unexpected) {

    /** Copies the lists. */
    public IncompatibleKeys {
        missing = List.copyOf(missing);
        unexpected = List.copyOf(unexpected);
    }
}
