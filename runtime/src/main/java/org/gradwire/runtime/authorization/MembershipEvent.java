package org.gradwire.runtime.authorization;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.PeerIdentity;
import org.jspecify.annotations.Nullable;

/** A peer that has joined or left, for Flight Recorder. */
@Name("org.gradwire.Membership")
@Label("Membership")
@Description("A worker of the group was connected to a worker of this JVM, or was lost or left")
@Category("Gradwire")
@StackTrace(false)
final class MembershipEvent extends Event {
    @Label("Change")
    @Description("joined or left")
    @Nullable String change;

    @Label("Worker")
    @Description("Name of the worker that saw it")
    @Nullable String worker;

    @Label("Peer")
    @Description("Name of the worker that joined or left")
    @Nullable String peer;

    @Label("Id of peer")
    int peerId;

    @Label("Address")
    @Description("Network address of the peer")
    @Nullable String address;

    @Label("Authentication")
    @Description(
            "Proof that the peer needs: nothing, the token, a certificate, or the same process")
    @Nullable String authentication;

    @Label("Reason")
    @Nullable String reason;

    static void record(
            String change,
            WorkerInfo worker,
            WorkerInfo peer,
            PeerIdentity identity,
            String reason) {
        var event = new MembershipEvent();
        if (event.shouldCommit()) {
            event.change = change;
            event.worker = worker.name();
            event.peer = peer.name();
            event.peerId = peer.id();
            event.address = identity.address();
            event.authentication = identity.authentication().text();
            event.reason = reason;
            event.commit();
        }
    }
}
