package org.gradwire.autograd;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.storage.AutocastMode;
import org.gradwire.tensor.storage.NodeRun;
import org.gradwire.tensor.storage.ThreadState;
import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One backward pass over a graph, from a set of start nodes to the leaves they reach.
 *
 * <p>When the task is made it counts, breadth-first from all starts, how many edges lead to each
 * node. Later each start is fed its gradients once, in any order and from any thread. A node runs
 * when gradients have arrived over all of its edges; they are summed. A local pass has one start, a
 * {@link GraphRoot}; a distributed one has every send function of its context as well.
 *
 * <p><b>Threads.</b> Nodes run one at a time, on the threads that feed: a thread that feeds while
 * another runs nodes queues its gradients and returns at once. No thread waits inside. A node may
 * start and finish other tasks while it runs. Chains of any length take constant stack.
 *
 * <p><b>Failure.</b> The first error ends the task: no further node runs, {@link #completion} fails
 * with it, and later gradients are dropped. The graph stays usable.
 */
public final class GraphTask {
    private final boolean retainGraph;
    private final Accumulator accumulator;
    private final boolean checkNan = ThreadState.current().checkNan;
    private final NodeStateTable states = new NodeStateTable();
    private final Set<Node> unfed;
    private final Queue<Feed> fed = new ConcurrentLinkedQueue<>();
    private final AtomicInteger work = new AtomicInteger();
    private final ReadyQueue ready = new ReadyQueue();
    private final CompletableFuture<@Nullable Void> completion = new CompletableFuture<>();
    private final List<Runnable> lastActions = new ArrayList<>();
    private int startsLeft;

    /** Takes the gradients that arrive at leaves. Called on the thread that runs the task. */
    @FunctionalInterface
    public interface Accumulator {

        /**
         * Accumulate the gradient of a leaf.
         *
         * @param variable the leaf
         * @param gradient of the leaf's shape and type
         * @param exclusive whether the gradient's memory is exclusive, so that it may be kept
         *     without a copy if it is contiguous, or released; see {@link Gradients#own} and {@link
         *     Gradients#addTo}
         */
        void accumulate(Tensor variable, Tensor gradient, boolean exclusive);

        /** {@return the accumulated gradient of a leaf; null if there is none} */
        default @Nullable Tensor gradient(Tensor variable) {
            return variable.grad();
        }

        /** Replace the accumulated gradient of a leaf. */
        default void replace(Tensor variable, Tensor gradient) {
            variable.grad(gradient);
        }
    }

    private static final class Feed {
        final Node start;
        final boolean exclusive;
        final @Nullable Tensor[] gradients;

        Feed(Node start, boolean exclusive, @Nullable Tensor[] gradients) {
            this.start = start;
            this.exclusive = exclusive;
            this.gradients = gradients;
        }
    }

    /**
     * Create a task and count its dependencies.
     *
     * @param starts the nodes that will be fed
     * @param retainGraph whether nodes keep their saved tensors, so that they can run again
     * @param accumulator takes the gradients of leaves
     */
    public GraphTask(
            Collection<? extends Node> starts, boolean retainGraph, Accumulator accumulator) {
        this(starts, retainGraph, accumulator, null);
    }

    /**
     * Create a task that runs only nodes on a path to some tensors.
     *
     * @param backwardTargets these tensors; null for all leaves
     */
    GraphTask(
            Collection<? extends Node> starts,
            boolean retainGraph,
            Accumulator accumulator,
            @Nullable BackwardTargets backwardTargets) {
        this.retainGraph = retainGraph;
        this.accumulator = accumulator;
        this.unfed = HashSet.newHashSet(starts.size());
        unfed.addAll(starts);
        startsLeft = unfed.size();
        countDependencies();
        if (backwardTargets != null) {
            backwardTargets.restrict(states, unfed);
        }
        if (startsLeft == 0) {
            completion.complete(null);
        }
    }

    private void countDependencies() {
        Queue<NodeState> reached = new ArrayDeque<>();
        for (Node start : unfed) {
            reach(states.get(start), reached);
        }
        for (NodeState nodeState; (nodeState = reached.poll()) != null; ) {
            @Nullable Edge[] edges = nodeState.node.edges;
            if (edges.length > 0) {
                nodeState.next = new @Nullable NodeState[edges.length];
            }
            for (int i = 0; i < edges.length; i++) {
                Edge edge = edges[i];
                if (edge != null) {
                    NodeState next = states.get(edge.node());
                    nodeState.next[i] = next;
                    reach(next, reached);
                }
            }
        }
    }

    /** Count an edge to a node, and enqueue the node when it is reached first. */
    private static void reach(NodeState nodeState, Queue<NodeState> reached) {
        if (nodeState.awaited++ == 0) {
            reached.add(nodeState);
        }
    }

    /** {@return the work of this task so far: the number of hash table slots probed} */
    long steps() {
        return states.steps();
    }

    /** {@return whether nodes keep their saved tensors, so that they can run again} */
    public boolean retainGraph() {
        return retainGraph;
    }

    /** {@return the starts that were not fed yet} */
    public List<Node> unfed() {
        synchronized (unfed) {
            return List.copyOf(unfed);
        }
    }

    /**
     * {@return completes when every start was fed and every node has run, or with the first error;
     * its dependent stages run on the thread that ran the last node}
     */
    public CompletableFuture<@Nullable Void> completion() {
        return completion;
    }

    /**
     * {@return the gradient that passes have accumulated for a leaf, where this one accumulates:
     * {@link Tensor#grad()}, or a distributed autograd context; null if there is none} Confined to
     * hooks and nodes of this task, as the next three methods.
     */
    public @Nullable Tensor gradient(Tensor leaf) {
        return accumulator.gradient(leaf);
    }

    /** Replace the gradient of a leaf by another tensor, which it keeps. No hook runs. */
    public void replace(Tensor leaf, Tensor gradient) {
        accumulator.replace(leaf, gradient);
    }

    /** Add to the gradient of a leaf, as gradients of the graph are added. No hook runs. */
    public void accumulate(Tensor leaf, Tensor gradient) {
        accumulator.accumulate(leaf, gradient, false);
    }

    /**
     * Run an action when all nodes have run, before the task is complete; it may block. Its
     * exception fails the task. It does not run if the task fails earlier: see {@link #completion}.
     */
    public void atEnd(Runnable action) {
        lastActions.add(action);
    }

    /**
     * End the task with an error that happened outside. Does nothing when it has ended. May be
     * called from any thread.
     */
    public void fail(Throwable cause) {
        completion.completeExceptionally(cause);
        run(); // releases the graph
    }

    /**
     * Feed a start its gradients, and run the nodes that become ready, unless another thread is
     * running nodes of this task already. Does nothing when the task has ended.
     *
     * @param start one of the task's starts
     * @param exclusive whether the memory of the gradients is exclusive, so that the task may write
     *     to it and keep it
     * @param gradients the arguments of {@link Node#apply} of the start
     * @throws IllegalArgumentException when the node is not a start of this task, or was fed before
     */
    public void feed(Node start, boolean exclusive, @Nullable Tensor... gradients) {
        if (completion.isDone()) {
            return;
        }
        synchronized (unfed) {
            if (!unfed.remove(start)) {
                throw new IllegalArgumentException(
                        start.name() + " is not a start of this graph task, or was fed already");
            }
        }
        fed.add(new Feed(start, exclusive, gradients));
        run();
    }

    /** Run the ready nodes, or leave them to the thread that is running nodes. */
    private void run() {
        if (work.getAndIncrement() == 0) {
            int taken = 1;
            do {
                drain();
                taken = work.addAndGet(-taken);
            } while (taken != 0);
        }
    }

    private void drain() {
        ThreadState state = ThreadState.current();
        boolean gradEnabled = state.gradEnabled;
        NodeRun nodeRun = state.nodeRun;
        AutocastMode autocast = state.autocast;
        state.gradEnabled = false;
        state.autocast = null;
        try {
            runReadyNodes(state);
            if (startsLeft == 0 && !completion.isDone()) {
                lastActions.forEach(Runnable::run);
            }
        } catch (Throwable e) {
            completion.completeExceptionally(e);
        } finally {
            state.gradEnabled = gradEnabled;
            state.autocast = autocast;
            state.nodeRun = nodeRun;
        }
        if (completion.isDone() || startsLeft == 0) {
            fed.clear();
            ready.clear();
            states.clear();
            completion.complete(null);
        }
    }

    private void runReadyNodes(ThreadState state) {
        while (!completion.isDone()) {
            for (Feed feed; (feed = fed.poll()) != null; ) {
                accept(feed);
            }
            NodeState nodeState = ready.next();
            if (nodeState == null) {
                return;
            }
            var nodeRun = new NodeRun();
            state.nodeRun = nodeRun;
            run(nodeState, nodeRun);
        }
    }

    private void accept(Feed feed) {
        startsLeft--;
        NodeState nodeState = states.get(feed.start);
        for (int i = 0; i < feed.gradients.length; i++) {
            Tensor gradient = feed.gradients[i];
            if (gradient != null) {
                ready.add(nodeState, i, feed.gradients.length, gradient, feed.exclusive);
            }
        }
        ready.arrived(nodeState, feed.gradients.length);
    }

    private void run(NodeState nodeState, NodeRun nodeRun) {
        Node node = nodeState.node;
        try {
            boolean[] exclusive = nodeState.exclusive;
            @Nullable Tensor[] gradients = nodeState.take();
            if (node.watched()) {
                gradients = node.runHooks(gradients, nodeState.runs);
                exclusive = new boolean[gradients.length]; // a hook may have kept them
            }
            nodeState.capture(gradients, exclusive);
            if (!nodeState.runs) {
                return;
            }
            if (node instanceof AccumulateGrad leaf) {
                accumulate(leaf, gradients, exclusive[0]);
            } else {
                apply(nodeState, gradients, new GradientOwnership(nodeRun, gradients, exclusive));
            }
        } catch (RuntimeException failure) {
            throw AnomalyChecks.explained(node, failure);
        }
    }

    private void accumulate(AccumulateGrad leaf, @Nullable Tensor[] gradients, boolean exclusive) {
        Tensor gradient = gradients[0];
        boolean watched = leaf.watchedAfterwards();
        if (gradient != null) {
            accumulator.accumulate(leaf.variable(), gradient, exclusive && !watched);
        }
        if (watched) {
            leaf.runPostHooks(new @Nullable Tensor[0], gradients);
        }
        if (gradient != null) {
            leaf.runPostAccumulateHooks(this);
        }
    }

    private void apply(
            NodeState nodeState,
            @Nullable Tensor[] gradients,
            GradientOwnership gradientOwnership) {
        Node node = nodeState.node;
        @Nullable Tensor[] outputs = node.apply(gradients);
        if (outputs.length != node.edges.length) {
            throw new IllegalStateException(
                    "function %s returned an incorrect number of gradients (expected %d, got %d)"
                            .formatted(node.name(), node.edges.length, outputs.length));
        }
        AnomalyChecks.check(node, outputs, checkNan);
        if (node.watchedAfterwards()) {
            gradientOwnership.end(); // a hook may keep them
            node.runPostHooks(outputs, gradients);
        }
        if (!retainGraph) {
            node.releaseSaved();
        }
        deliver(nodeState, outputs, gradientOwnership);
        if (node.isDoneWithGradients()) {
            gradientOwnership.giveBackInputs(outputs);
        }
    }

    private void deliver(
            NodeState nodeState, @Nullable Tensor[] outputs, GradientOwnership gradientOwnership) {
        Node node = nodeState.node;
        for (int i = 0; i < outputs.length; i++) {
            Edge edge = node.edges[i];
            NodeState target = nodeState.next[i];
            if (edge == null || target == null || !target.wanted) {
                continue;
            }
            Tensor output = outputs[i];
            if (output != null) {
                Tensor fitted = Gradients.fit(output, edge, node, i);
                boolean exclusive = fitted != output || gradientOwnership.exclusive(outputs, i);
                ready.add(target, edge.inputIndex(), edge.node().inputs(), fitted, exclusive);
            }
            ready.arrived(target, edge.node().inputs());
        }
    }
}
