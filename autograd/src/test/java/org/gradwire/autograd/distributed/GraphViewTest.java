package org.gradwire.autograd.distributed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.distributed.GraphView.Arrow;
import org.gradwire.autograd.distributed.GraphView.Vertex;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.regex.Pattern;

/** The drawings of a view. */
class GraphViewTest {
    private static final Vertex RECEIVE = new Vertex("w0_0", "worker0", "RecvRpcBackward");
    private static final Vertex SEND = new Vertex("w1_0", "worker1", "SendRpcBackward");
    private static final Vertex LEAF = new Vertex("w1_1", "worker1", "AccumulateGrad [3]");
    private static final GraphView VIEW =
            new GraphView(
                    List.of(RECEIVE, SEND, LEAF),
                    List.of(new Arrow("w0_0", "w1_0", true), new Arrow("w1_0", "w1_1", false)));

    @Test
    void dotHasAClusterForEachWorkerAndDashedArrowsBetweenThem() {
        assertEquals(
                """
                digraph autograd {
                  rankdir=TB;
                  node [shape=box, fontname="sans-serif"];
                  edge [fontname="sans-serif", fontsize=10];
                  subgraph "cluster_worker0" {
                    label="worker0";
                    w0_0 [label="RecvRpcBackward", style="filled,rounded", fillcolor="#fde8c8"];
                  }
                  subgraph "cluster_worker1" {
                    label="worker1";
                    w1_0 [label="SendRpcBackward", style="filled,rounded", fillcolor="#fde8c8"];
                    w1_1 [label="AccumulateGrad [3]", style="filled,rounded", fillcolor="#dff0d8"];
                  }
                  w0_0 -> w1_0 [style=dashed, color="#1f5fbf"];
                  w1_0 -> w1_1;
                }
                """,
                VIEW.toDot());
    }

    @Test
    void pictureNamesWorkersAndFunctionsAndDashesOneArrow() {
        String svg = VIEW.toSvg();
        for (String text :
                List.of("worker0", "worker1", RECEIVE.label(), SEND.label(), LEAF.label())) {
            assertEquals(2, svg.split(">" + Pattern.quote(text) + "</text>", -1).length, text);
        }
        assertEquals(2, svg.split("stroke-dasharray", -1).length);
        assertTrue(svg.contains("<rect"), svg);
    }

    @Test
    void arrowToNowhereIsRefused() {
        String message =
                assertThrows(
                                IllegalArgumentException.class,
                                () ->
                                        new GraphView(
                                                List.of(SEND),
                                                List.of(new Arrow("w1_0", "w9_9", false))))
                        .getMessage();
        assertEquals(
                "Arrow[from=w1_0, to=w9_9, remote=false]: there is no vertex of such an id; known are [w1_0]",
                message);
    }

    @Test
    void twoVerticesOfOneIdAreRefused() {
        String message =
                assertThrows(
                                IllegalArgumentException.class,
                                () -> new GraphView(List.of(SEND, SEND), List.of()))
                        .getMessage();
        assertEquals(SEND + ": another vertex has this id; each must have its own", message);
    }
}
