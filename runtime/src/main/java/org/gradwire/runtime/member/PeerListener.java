package org.gradwire.runtime.member;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;

/** A part of a worker with state per peer. */
public interface PeerListener {

    /** Handle a new member, possibly with the id of a lost one. */
    default void onPeerJoined(WorkerInfo peer) {}

    /** Handle the connection of a peer that has joined later. */
    default void onPeerConnected(WorkerInfo peer) {}

    /** Drop the state of a peer that is lost or has left, and expect no further messages of it. */
    default void onPeerLost(WorkerInfo peer, RpcException reason) {}
}
