package org.gradwire.tensor;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
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
 * when gradients came in over all of its edges; what came in is summed. A local pass has one start,
 * a {@link GraphRoot}; a distributed one has every send function of its context as well.
 *
 * <p><b>Threads.</b> Nodes run one at a time, on the threads that feed: one that feeds while
 * another runs nodes leaves its gradients there and returns at once. No thread waits inside. A node
 * may start and finish other tasks while it runs. Chains of any length take constant stack.
 *
 * <p><b>Failure.</b> The first error ends the task: no further node runs, {@link #completion} fails
 * with it, and what is fed later is dropped. The graph stays usable.
 */
public final class GraphTask {
    private final boolean retainGraph;
    private final Accumulator accumulator;
    private final boolean checkNan = ThreadState.current().checkNan;
    private final VisitTable visits = new VisitTable();
    private final Set<Node> unfed;
    private final Queue<Feed> fed = new ConcurrentLinkedQueue<>();
    private final AtomicInteger work = new AtomicInteger();
    private final ArrayDeque<Visit> ready = new ArrayDeque<>();
    private final ArrayDeque<Visit> awaited = new ArrayDeque<>(1);
    private final ArrayDeque<Visit> unsummed = new ArrayDeque<>(1);
    private final CompletableFuture<@Nullable Void> completion = new CompletableFuture<>();
    private int startsLeft;

    /** Takes the gradients that arrive at leaves. Called on the thread that runs the task. */
    @FunctionalInterface
    public interface Accumulator {

        /**
         * Add to what a leaf has so far.
         *
         * @param variable the leaf
         * @param gradient of the leaf's shape and type
         * @param exclusive whether nobody else can see the gradient's memory, so that it may be
         *     kept without copying it if it is contiguous, or given back; see {@link Gradients#own}
         *     and {@link Gradients#addTo}
         */
        void accumulate(Tensor variable, Tensor gradient, boolean exclusive);
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
     * @param retainGraph whether nodes keep what they need to run again
     * @param accumulator takes the gradients of leaves
     */
    public GraphTask(
            Collection<? extends Node> starts, boolean retainGraph, Accumulator accumulator) {
        this(starts, retainGraph, accumulator, null);
    }

    /**
     * Create a task that runs only what lies on a way to some tensors.
     *
     * @param targets these tensors; null for all leaves
     */
    GraphTask(
            Collection<? extends Node> starts,
            boolean retainGraph,
            Accumulator accumulator,
            @Nullable Targets targets) {
        this.retainGraph = retainGraph;
        this.accumulator = accumulator;
        this.unfed = HashSet.newHashSet(starts.size());
        unfed.addAll(starts);
        startsLeft = unfed.size();
        countDependencies();
        if (targets != null) {
            targets.restrict(visits, unfed);
        }
        if (startsLeft == 0) {
            completion.complete(null);
        }
    }

    private void countDependencies() {
        Queue<Visit> reached = ready; // nothing is ready yet
        for (Node start : unfed) {
            reach(visits.get(start), reached);
        }
        for (Visit visit; (visit = reached.poll()) != null; ) {
            @Nullable Edge[] edges = visit.node.edges;
            if (edges.length > 0) {
                visit.next = new @Nullable Visit[edges.length];
            }
            for (int i = 0; i < edges.length; i++) {
                Edge edge = edges[i];
                if (edge != null) {
                    Visit next = visits.get(edge.node());
                    visit.next[i] = next;
                    reach(next, reached);
                }
            }
        }
    }

    /** Count a way to a node, whose own edges are to be followed once. */
    private static void reach(Visit visit, Queue<Visit> reached) {
        if (visit.awaited++ == 0) {
            reached.add(visit);
        }
    }

    /** {@return the work of this task so far: how many places it has looked for nodes in} */
    long steps() {
        return visits.steps();
    }

    /** {@return whether nodes keep what they need to run again} */
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
     * what hangs on it runs on the thread that ran the last node}
     */
    public CompletableFuture<@Nullable Void> completion() {
        return completion;
    }

    /**
     * End the task with an error that happened outside. Does nothing when it has ended. May be
     * called from any thread.
     */
    public void fail(Throwable cause) {
        completion.completeExceptionally(cause);
        run(); // to let go of what it holds
    }

    /**
     * Give a start its gradients, and run what becomes ready, unless another thread is running
     * nodes of this task already. Does nothing when the task has ended.
     *
     * @param start one of the task's starts
     * @param exclusive whether nobody else can see the memory of the gradients, so that the task
     *     may write to it and keep it
     * @param gradients what {@link Node#apply} of the start is given
     * @throws IllegalArgumentException when the node is no start of this task, or was fed before
     */
    public void feed(Node start, boolean exclusive, @Nullable Tensor... gradients) {
        if (completion.isDone()) {
            return;
        }
        synchronized (unfed) {
            if (!unfed.remove(start)) {
                throw new IllegalArgumentException(
                        start.name() + " is no start of this graph task, or was fed already");
            }
        }
        fed.add(new Feed(start, exclusive, gradients));
        run();
    }

    /** Run what is ready, or have the thread do it that is running nodes. */
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
        Execution execution = state.execution;
        state.gradEnabled = false;
        try {
            runReadyNodes(state);
        } catch (Throwable e) {
            completion.completeExceptionally(e);
        } finally {
            state.gradEnabled = gradEnabled;
            state.execution = execution;
        }
        if (completion.isDone() || startsLeft == 0) {
            fed.clear();
            ready.clear();
            awaited.clear();
            unsummed.clear();
            visits.clear();
            completion.complete(null);
        }
    }

    private void runReadyNodes(ThreadState state) {
        while (!completion.isDone()) {
            for (Feed feed; (feed = fed.poll()) != null; ) {
                accept(feed);
            }
            Visit visit = next();
            if (visit == null) {
                return;
            }
            var execution = new Execution();
            state.execution = execution;
            run(visit, execution);
        }
    }

    /** Return what runs next; sums are left until all that others wait for has run. */
    private @Nullable Visit next() {
        Visit visit = awaited.poll();
        if (visit != null) {
            visit.sum();
            return visit;
        }
        for (Visit partial; (partial = unsummed.poll()) != null; ) {
            partial.sum();
        }
        return ready.pollLast();
    }

    private void accept(Feed feed) {
        startsLeft--;
        Visit visit = visits.get(feed.start);
        for (int i = 0; i < feed.gradients.length; i++) {
            Tensor gradient = feed.gradients[i];
            if (gradient != null) {
                add(visit, i, feed.gradients.length, gradient, feed.exclusive);
            }
        }
        arrived(visit, feed.gradients.length);
    }

    private void add(Visit visit, int index, int inputs, Tensor gradient, boolean exclusive) {
        if (visit.add(index, inputs, gradient, exclusive)) {
            unsummed.add(visit);
        }
    }

    private void arrived(Visit visit, int inputs) {
        if (--visit.awaited == 0) {
            visit.size(inputs);
            (visit.node.isAwaited() ? awaited : ready).add(visit);
        }
    }

    private void run(Visit visit, Execution execution) {
        Node node = visit.node;
        try {
            boolean[] exclusive = visit.exclusive;
            @Nullable Tensor[] gradients = visit.take();
            if (node.watched()) {
                gradients = node.runHooks(gradients, visit.runs);
                exclusive = new boolean[gradients.length]; // a hook may have kept what it saw
            }
            visit.capture(gradients, exclusive);
            if (!visit.runs) {
                return;
            }
            if (node instanceof AccumulateGrad leaf) {
                accumulate(leaf, gradients, exclusive[0]);
            } else {
                apply(visit, gradients, new Ownership(execution, gradients, exclusive));
            }
        } catch (RuntimeException failure) {
            throw Anomalies.explained(node, failure);
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
    }

    private void apply(Visit visit, @Nullable Tensor[] gradients, Ownership ownership) {
        Node node = visit.node;
        @Nullable Tensor[] outputs = node.apply(gradients);
        if (outputs.length != node.edges.length) {
            throw new IllegalStateException(
                    "function %s returned an incorrect number of gradients (expected %d, got %d)"
                            .formatted(node.name(), node.edges.length, outputs.length));
        }
        Anomalies.check(node, outputs, checkNan);
        if (node.watchedAfterwards()) {
            ownership.end(); // a hook may keep what it sees
            node.runPostHooks(outputs, gradients);
        }
        if (!retainGraph) {
            node.releaseSaved();
        }
        deliver(visit, outputs, ownership);
        if (node.isDoneWithGradients()) {
            ownership.giveBackInputs(outputs);
        }
    }

    private void deliver(Visit visit, @Nullable Tensor[] outputs, Ownership ownership) {
        Node node = visit.node;
        for (int i = 0; i < outputs.length; i++) {
            Edge edge = node.edges[i];
            Visit target = visit.next[i];
            if (edge == null || target == null || !target.wanted) {
                continue;
            }
            Tensor output = outputs[i];
            if (output != null) {
                Tensor fitted = Gradients.fit(output, edge, node, i);
                boolean exclusive = fitted != output || ownership.exclusive(outputs, i);
                add(target, edge.inputIndex(), edge.node().inputs(), fitted, exclusive);
            }
            arrived(target, edge.node().inputs());
        }
    }
}
