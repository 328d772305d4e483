package org.gradwire.autograd.distributed;

import org.gradwire.autograd.Edge;
import org.gradwire.autograd.Node;
import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A worker's part of the discovery that precedes a pass in {@link BackwardMode#SMART}: finds the
 * send functions here on which the roots depend.
 *
 * <p>An exploration follows the graph from its starts to receive functions, and asks their senders
 * to continue from there. It ends when these have replied, so explorations form a tree over all
 * workers even if the calls form cycles. An exploration skips nodes that another one has visited:
 * they belong to a branch of the tree for which the root waits as well.
 */
final class DependencyDiscovery implements BackwardPhase {
    private final ContextState context;
    private final long id;
    private final Executor executor;
    private final Set<Node> visited = new HashSet<>(); // guarded by this, as are the sends
    private final List<SendRpcBackward> sends = new ArrayList<>();
    private final Map<Node, CompletableFuture<@Nullable Void>> begun = new ConcurrentHashMap<>();
    private final CompletableFuture<@Nullable Void> failure = new CompletableFuture<>();

    DependencyDiscovery(ContextState context, long id, Executor executor) {
        this.context = context;
        this.id = id;
        this.executor = executor;
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public boolean isDiscovery() {
        return true;
    }

    @Override
    public Executor executor() {
        return executor;
    }

    /** Requests to a lost worker fail anyway. */
    @Override
    public boolean waitsFor(int worker) {
        return false;
    }

    /** {@return the send functions found so far} */
    synchronized List<SendRpcBackward> sends() {
        return List.copyOf(sends);
    }

    /**
     * Follow the graph from the send functions that a message names, or from the root. For a
     * repeated message the exploration that its first copy began counts.
     *
     * @param starts at least one
     * @return completes when everything to which they lead is found, except the part that other
     *     explorations search
     */
    CompletableFuture<@Nullable Void> explore(List<? extends Node> starts) {
        if (failure.isDone()) {
            return failure;
        }
        var end = new CompletableFuture<@Nullable Void>();
        CompletableFuture<@Nullable Void> known = begun.putIfAbsent(starts.getFirst(), end);
        if (known != null) {
            return known;
        }
        var _ = failure.whenComplete((_, cause) -> end.completeExceptionally(cause));
        Map<Integer, List<Long>> received;
        try {
            received = walk(starts);
        } catch (RuntimeException | Error e) {
            end.completeExceptionally(e); // for a repeated message
            throw e;
        }
        var open = new AtomicInteger(1 + received.size());
        Consumer<@Nullable RuntimeException> whenAnswered =
                problem -> {
                    if (problem != null) {
                        end.completeExceptionally(problem);
                    } else if (open.decrementAndGet() == 0) {
                        end.complete(null);
                    }
                };
        received.forEach((sender, messageIds) ->
                DiscoveryMessage.send(context, id, sender, messageIds, whenAnswered));
        whenAnswered.accept(null);
        return end;
    }

    /** Visit new nodes; {@return the ids of the messages received there, by sender} */
    private synchronized Map<Integer, List<Long>> walk(Collection<? extends Node> starts) {
        Map<Integer, List<Long>> received = new TreeMap<>();
        var left = new ArrayDeque<Node>();
        starts.forEach(start -> visit(start, left));
        for (Node node; (node = left.poll()) != null; ) {
            switch (node) {
                case SendRpcBackward send -> sends.add(send);
                case RecvRpcBackward receive -> {
                    receive.requireReceivedIn(context.key());
                    received.computeIfAbsent(receive.source(), _ -> new ArrayList<>())
                            .add(receive.messageId());
                }
                default -> {}
            }
            for (Edge edge : node.nextEdges()) {
                visit(edge.node(), left);
            }
        }
        return received;
    }

    private void visit(Node node, ArrayDeque<Node> left) {
        if (visited.add(node)) {
            left.add(node);
        }
    }

    /** Fail the explorations that have not ended, without waiting for their requests. */
    @Override
    public void fail(RuntimeException cause) {
        context.passes().ended(this);
        failure.completeExceptionally(cause);
    }
}
