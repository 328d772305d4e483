package org.gradwire.conformance.cases.autograd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.gradwire.autograd.AccumulateGrad;
import org.gradwire.autograd.Edge;
import org.gradwire.autograd.Node;
import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.tensor.Tensor;

import java.util.List;

/** Asserts the shapes of the expected autograd graphs. */
final class Graphs {
    private static final String ACCUMULATE = "torch::autograd::AccumulateGrad";
    private static final String SEND = "torch::distributed::autograd::SendRpcBackward";
    private static final String RECV = "torch::distributed::autograd::RecvRpcBackward";

    private Graphs() {}

    /** G-FIRST: the send node has two leaves, and the result depends on the recv node. */
    static void assertFirst(Node send, Node recv, Tensor a, Tensor b, Tensor returned) {
        assertEquals(SEND, send.name());
        assertLeaves(List.of(a, b), send);
        assertEquals(RECV, recv.name());
        assertSame(recv, returned.gradFn());
    }

    /** Assert that a send node leads to leaves, in order. */
    static void assertLeaves(List<Tensor> leaves, Node send) {
        assertEquals(leaves.size(), send.nextEdges().size());
        for (int i = 0; i < leaves.size(); i++) {
            Edge edge = send.nextEdges().get(i);
            assertEquals(ACCUMULATE, edge.node().name());
            assertEquals(0, edge.inputIndex());
            assertSame(leaves.get(i), ((AccumulateGrad) edge.node()).variable());
        }
    }

    /** G-EXEC: the callee sent back the sum of two tensors that it received in one message. */
    static void assertExecuted(AutogradContext context) {
        assertEquals(1, context.sendFunctions().size());
        assertExecuted(context.sendFunctions().getFirst());
    }

    static void assertExecuted(Node send) {
        assertEquals(SEND, send.name());
        assertEquals(1, send.nextEdges().size());
        Node add = send.nextEdges().getFirst().node();
        assertEquals("AddBackward0", add.name());
        assertBothReceived(add);
    }

    /** G-NESTED: the callee forwarded two tensors and returned the result. */
    static void assertNested(AutogradContext context) {
        List<Node> sends = context.sendFunctions();
        assertEquals(2, sends.size());
        assertBothReceived(sends.getFirst());
        Node back = sends.getLast();
        assertEquals(1, back.nextEdges().size());
        assertEquals(RECV, back.nextEdges().getFirst().node().name());
    }

    private static void assertBothReceived(Node node) {
        assertEquals(2, node.nextEdges().size());
        Node recv = node.nextEdges().getFirst().node();
        assertEquals(RECV, recv.name());
        assertSame(recv, node.nextEdges().getLast().node());
    }
}
