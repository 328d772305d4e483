package org.gradwire.runtime.function;

import org.gradwire.rpc.RpcException;

/** Finds the functions that peers name. */
@FunctionalInterface
public interface FunctionLookup {

    /**
     * Return the function with a name that a peer sent.
     *
     * @param from id of the peer
     * @throws RpcException when there is none, or the peer may not call it
     */
    RemoteFunction lookUp(int from, FunctionKind kind, String name);
}
