package org.gradwire.spi;

import org.gradwire.rpc.RpcException;

/**
 * What an agent tells its worker. Called on pollers: the methods return quickly and do not throw.
 */
public interface AgentListener {

    /**
     * Take in a request.
     *
     * @param from id of the member that sent it
     * @param request belongs to the receiver from now on
     * @param replies takes the one reply, on any thread, any time later
     */
    void onRequest(int from, Message request, ReplySink replies);

    /**
     * Learn that a member is lost. Its calls under way have failed already, and further ones fail
     * at once.
     *
     * @param peer id of the member
     * @param reason what was observed
     */
    void onPeerLost(int peer, RpcException reason);
}
