package org.gradwire.tensor;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The tensors that a restricted pass computes gradients of. */
final class Targets {
    private final List<Target> targets = new ArrayList<>();
    private final List<Node> leaves = new ArrayList<>();

    /**
     * Takes the gradient that comes in for one input of a node, and whether nobody else sees it.
     */
    record Capture(int inputIndex, Taker taker) {}

    /** Takes a gradient. */
    @FunctionalInterface
    interface Taker {

        /** Take a gradient; only if nobody else can see it, it may be kept without copying it. */
        void accept(Tensor gradient, boolean exclusive);
    }

    private record Target(Node node, Capture capture) {}

    /** Have the gradient of a tensor given to somebody. */
    void capture(Tensor tensor, Taker taker) {
        Edge edge = Edge.of(tensor);
        targets.add(new Target(edge.node(), new Capture(edge.inputIndex(), taker)));
    }

    /** Have the gradient of a leaf accumulated. */
    void accumulate(Tensor leaf) {
        leaves.add(AccumulateGrad.of(leaf));
    }

    /**
     * Leave only what lies on a way from the starts to the targets, and count its dependencies.
     *
     * @param visits all that can be reached, with their dependencies
     */
    void restrict(VisitTable visits, Collection<Node> starts) {
        List<Visit> order = sorted(visits, starts);
        order.forEach(visit -> visit.runs = false);
        leaves.forEach(leaf -> visits.get(leaf).runs = true);
        targets.forEach(target -> visits.get(target.node).captureFor(target.capture));
        for (Visit visit : order.reversed()) {
            for (Visit next : visit.next) {
                visit.runs |= next != null && next.wanted;
            }
            visit.wanted = visit.runs || visit.isCaptured();
        }
        starts.forEach(start -> visits.get(start).awaited = 1);
        for (Visit visit : order) {
            for (Visit next : visit.next) {
                if (visit.runs && next != null && next.wanted) {
                    next.awaited++;
                }
            }
        }
    }

    /** Return the visits in an order in which gradients flow forward; uses up their counts. */
    private static List<Visit> sorted(VisitTable visits, Collection<Node> starts) {
        List<Visit> order = new ArrayList<>();
        var ready = new ArrayDeque<Visit>();
        for (Node start : starts) {
            arrive(visits.get(start), ready);
        }
        for (Visit visit; (visit = ready.poll()) != null; ) {
            order.add(visit);
            for (Visit next : visit.next) {
                if (next != null) {
                    arrive(next, ready);
                }
            }
        }
        return order;
    }

    private static void arrive(Visit visit, ArrayDeque<Visit> ready) {
        if (--visit.awaited == 0) {
            ready.add(visit);
        }
    }
}
