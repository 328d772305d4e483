package org.gradwire.spi;

import org.gradwire.rpc.RpcException;

/**
 * Receives the requests and losses that an agent reports to its worker. Called on pollers: the
 * methods return quickly and do not throw.
 */
public interface AgentListener {

    /**
     * Accept a request.
     *
     * @param from id of the member that sent it
     * @param request owned by the receiver
     * @param replies takes the one reply, on any thread, at any time
     */
    void onRequest(int from, Message request, ReplySink replies);

    /**
     * Handle the loss of a member. Calls to it have failed already, and further ones fail at once.
     *
     * @param peer id of the member
     * @param reason of the loss
     */
    void onPeerLost(int peer, RpcException reason);
}
