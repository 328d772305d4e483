package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.autograd.distributed.GraphView;
import org.gradwire.autograd.distributed.GraphView.Arrow;
import org.gradwire.autograd.distributed.GraphView.Vertex;
import org.gradwire.rpc.Rpc;
import org.gradwire.runtime.tests.functions.Products;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The graph of a context, collected from all workers. */
@Timeout(60)
class GraphViewTest {

    @Test
    void graphOfAllWorkersIsJoinedAtItsMessages() throws Exception {
        InprocGroup.runFirst(
                4,
                rpc -> {
                    Tensor a = Tensor.ones(2, 3).requiresGrad(true);
                    Tensor b = Tensor.ones(3).requiresGrad(true);
                    try (AutogradContext context = DistAutograd.context(rpc)) {
                        Tensor product =
                                rpc.rpcSync("worker1", Products::elsewhere, a, b, "worker2");
                        Tensor loss = product.add(b).sum();
                        GraphView view = GraphView.of(rpc, context, loss);
                        assertEquals(context, DistAutograd.current(rpc));
                        assertEquals(
                                Map.of(
                                        "worker0",
                                        List.of(
                                                "AccumulateGrad [2, 3]",
                                                "AccumulateGrad [3]",
                                                "AddBackward0",
                                                "RecvRpcBackward",
                                                "SendRpcBackward",
                                                "SumBackward0"),
                                        "worker1",
                                        List.of(
                                                "RecvRpcBackward",
                                                "RecvRpcBackward",
                                                "SendRpcBackward",
                                                "SendRpcBackward",
                                                "TanhBackward0"),
                                        "worker2",
                                        List.of(
                                                "MulBackward0",
                                                "RecvRpcBackward",
                                                "SendRpcBackward")),
                                labels(view));
                        assertEquals(
                                Set.of(
                                        "worker0 -> worker1",
                                        "worker1 -> worker2",
                                        "worker2 -> worker1",
                                        "worker1 -> worker0"),
                                ways(view));
                        assertEquals(4, view.arrows().stream().filter(Arrow::remote).count());
                        assertEquals(5, view.toSvg().split("stroke-dasharray", -1).length);
                        assertEquals(
                                ContextReleases.NOTHING,
                                contextsAndPasses(rpc, "worker3"),
                                "of a worker without the context");
                        context.backward(loss);
                        assertEquals(2, context.gradients().size());
                    }
                });
    }

    @Test
    void workerThatCallsItselfIsDrawnOnce() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    Tensor a = Tensor.ones(2).requiresGrad(true);
                    try (AutogradContext context = DistAutograd.context(rpc)) {
                        Tensor loss =
                                rpc.rpcSync("worker0", Products::elsewhere, a, a, "worker1").sum();
                        GraphView view = GraphView.of(rpc, context, loss);
                        assertEquals(
                                Set.of(
                                        "worker0 -> worker0",
                                        "worker0 -> worker1",
                                        "worker1 -> worker0"),
                                ways(view));
                        assertEquals(4, view.arrows().stream().filter(Arrow::remote).count());
                    }
                });
    }

    /** Query a worker outside of the context, which the call would bring there. */
    private static List<String> contextsAndPasses(Rpc rpc, String worker) {
        return InprocWorkers.onThread(() -> rpc.rpcSync(worker, Products::contextsAndPasses))
                .join();
    }

    /** {@return the labels of each worker's vertices, sorted} */
    private static Map<String, List<String>> labels(GraphView view) {
        return view.vertices().stream()
                .collect(
                        Collectors.groupingBy(
                                Vertex::worker,
                                Collectors.mapping(
                                        Vertex::label,
                                        Collectors.collectingAndThen(
                                                Collectors.toList(),
                                                labels -> labels.stream().sorted().toList()))));
    }

    /** {@return the pairs of workers with an edge from a receive to a send function} */
    private static Set<String> ways(GraphView view) {
        Map<String, Vertex> byId =
                view.vertices().stream().collect(Collectors.toMap(Vertex::id, vertex -> vertex));
        return view.arrows().stream()
                .filter(Arrow::remote)
                .map(arrow -> {
                    Vertex from = byId.get(arrow.from());
                    Vertex to = byId.get(arrow.to());
                    assertTrue(from != null && to != null, arrow::toString);
                    assertEquals("RecvRpcBackward", from.label());
                    assertEquals("SendRpcBackward", to.label());
                    return from.worker() + " -> " + to.worker();
                })
                .collect(Collectors.toSet());
    }
}
