package org.gradwire.runtime.authorization;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.authorization.MessageAccess.Check;
import org.gradwire.runtime.function.FunctionKind;
import org.gradwire.runtime.function.FunctionLookup;
import org.gradwire.runtime.function.FunctionTable;
import org.gradwire.runtime.function.RemoteFunction;
import org.gradwire.runtime.member.Members;
import org.gradwire.runtime.member.PeerListener;
import org.gradwire.runtime.wire.WireCodec.DecodedMessage;
import org.gradwire.runtime.wire.WireCodec.Header;
import org.gradwire.security.Authorizer;
import org.gradwire.spi.Output;
import org.gradwire.spi.UntrustedText;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Checks what peers may do on a worker. A peer is known by the id of the session in which its
 * message arrived, and by the name that the group has for that id. The worker itself may do
 * everything. Thread-safe.
 */
public final class Authorization implements FunctionLookup, PeerListener {
    private final Members members;
    private final FunctionTable functions;
    private final DecisionMaker maker;
    private final AuditLog audit;
    private final boolean isActive;
    private final int self;
    private final Map<Integer, CallerPermissions> byPeer = new ConcurrentHashMap<>();

    /**
     * Create the authorization of a worker.
     *
     * @param policy null for none; with neither it nor an authorizer, everything is permitted
     */
    public Authorization(
            Members members,
            FunctionTable functions,
            @Nullable Policy policy,
            List<Authorizer> authorizers,
            AuditLog audit) {
        this.members = members;
        this.functions = functions;
        this.audit = audit;
        maker = new DecisionMaker(members.self(), policy, authorizers);
        isActive = maker.isActive();
        self = members.self().id();
    }

    /** Saved bytes, which the program itself reads, have no source and are not checked. */
    private boolean isChecked(int peer) {
        return isActive && peer != self && peer != Output.NOWHERE;
    }

    /**
     * Check the type and the headers of a request, before its body is decoded.
     *
     * @throws PermissionDeniedException when its sender may not send it
     */
    public void requireMessage(int from, DecodedMessage message) {
        if (!isChecked(from)) {
            return;
        }
        for (Header header : message.headers()) {
            requireType(from, header.interceptor().requestType());
        }
        requireType(from, message.type());
    }

    private void requireType(int from, int type) {
        MessageAccess access = MessageAccess.of(type);
        if (access.check() == Check.ON_ARRIVAL && access.action() != null) {
            require(caller(from), access.action());
        }
    }

    /**
     * Check a permission that a message of a peer needs.
     *
     * @throws PermissionDeniedException when the peer does not have it
     */
    public void require(int from, Permission permission) {
        if (isChecked(from)) {
            require(caller(from), permission.action());
        }
    }

    private void require(CallerPermissions caller, String action) {
        Decision decision = caller.of(action);
        if (!decision.isPermitted()) {
            throw denied(caller.caller(), action, decision.reason());
        }
    }

    private PermissionDeniedException denied(WorkerInfo caller, String action, String reason) {
        audit.denied(caller, action, reason);
        return new PermissionDeniedException(
                "permission denied: worker %s may not use %s here"
                        .formatted(
                                UntrustedText.quote(caller.name()), UntrustedText.quote(action)));
    }

    /**
     * {@inheritDoc}
     *
     * <p>A peer cannot distinguish a function that does not exist from one that it may not call.
     *
     * @throws PermissionDeniedException when the peer may not call it
     */
    @Override
    public RemoteFunction lookUp(int from, FunctionKind kind, String name) {
        if (!isChecked(from)) {
            return functions.lookUp(kind, name);
        }
        CallerPermissions caller = caller(from);
        RemoteFunction function;
        try {
            function = functions.lookUp(kind, name);
        } catch (RpcException e) {
            requireSearch(caller.caller(), kind, name);
            throw e;
        }
        require(caller, actionOf(function));
        return function;
    }

    private static String actionOf(RemoteFunction function) {
        return function.kind() == FunctionKind.BUILTIN ? function.name() : function.schema().name();
    }

    private void requireSearch(WorkerInfo caller, FunctionKind kind, String name) {
        String action = kind == FunctionKind.BUILTIN ? name : FunctionTable.writtenName(name);
        if (!maker.maySearch(caller, action)) {
            throw denied(caller, action, "there is no such function");
        }
    }

    private CallerPermissions caller(int id) {
        WorkerInfo worker = members.find(id);
        if (worker == null) {
            throw new RpcException(
                    RpcErrorKind.REFUSED,
                    "worker %d is not known here as a member yet".formatted(id));
        }
        CallerPermissions known = byPeer.get(id);
        if (known != null && known.caller().equals(worker)) {
            return known;
        }
        var permissions = new CallerPermissions(worker, maker);
        byPeer.put(id, permissions);
        return permissions;
    }

    @Override
    public void onPeerJoined(WorkerInfo peer) {
        byPeer.remove(peer.id());
    }

    @Override
    public void onPeerLost(WorkerInfo peer, RpcException reason) {
        byPeer.remove(peer.id());
    }

    /** {@return metrics of the checks} */
    public Map<String, String> debugInfo() {
        return Map.of("num_permission_denials", Long.toString(audit.denials()));
    }
}
