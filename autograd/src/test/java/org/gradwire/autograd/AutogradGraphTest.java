package org.gradwire.autograd;

import static org.gradwire.tensor.testing.FailureAssertions.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.AutogradGraph.Arrow;
import org.gradwire.autograd.AutogradGraph.Kind;
import org.gradwire.autograd.AutogradGraph.Vertex;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Drawings of graphs: their content, and boxes that do not overlap. */
class AutogradGraphTest {

    private static Tensor leaf(int... shape) {
        return Tensor.ones(shape).requiresGrad(true);
    }

    private static AutogradGraph layers() {
        Tensor x = Tensor.ones(4, 3);
        Tensor w1 = leaf(5, 3);
        Tensor b1 = leaf(5);
        Tensor w2 = leaf(2, 5);
        Tensor hidden = x.matmul(w1.t()).add(b1).tanh();
        Tensor loss = hidden.mul(hidden).matmul(w2.t()).sum();
        return AutogradGraph.of(Map.of("w1", w1, "b1", b1, "w2", w2, "loss", loss), loss);
    }

    @Test
    void graphHasResultsFunctionsAndLeaves() {
        Tensor x = leaf(2, 3);
        Tensor w = leaf(3);
        AutogradGraph graph = AutogradGraph.of(Map.of("w", w), x.mul(w).sum());
        assertEquals(
                List.of(
                        new Vertex(Kind.ROOT, "result []"),
                        new Vertex(Kind.FUNCTION, "SumBackward0"),
                        new Vertex(Kind.FUNCTION, "MulBackward0"),
                        new Vertex(Kind.LEAF, "AccumulateGrad [2, 3]"),
                        new Vertex(Kind.LEAF, "w [3]")),
                graph.vertices());
        assertEquals(
                List.of(
                        new Arrow(0, 1, "[]"),
                        new Arrow(1, 2, "[2, 3]"),
                        new Arrow(2, 3, "[2, 3]"),
                        new Arrow(2, 4, "[3]")),
                graph.arrows());
    }

    @Test
    void dotNamesAllOfIt() {
        Tensor w = leaf(3);
        String dot = AutogradGraph.of(Map.of("the \"w\"", w), w.exp()).toDot();
        assertTrue(dot.startsWith("digraph autograd {"), dot);
        assertTrue(dot.contains("n0 [label=\"result [3]\""), dot);
        assertTrue(dot.contains("n1 [label=\"ExpBackward0\""), dot);
        assertTrue(dot.contains("n2 [label=\"the \\\"w\\\" [3]\""), dot);
        assertTrue(dot.contains("n0 -> n1 [label=\"[3]\"];"), dot);
        assertTrue(dot.contains("n1 -> n2 [label=\"[3]\"];"), dot);
        assertTrue(dot.endsWith("}\n"), dot);
    }

    @Test
    void bothArrowsToOneLeafAreThere() {
        Tensor x = leaf(1);
        AutogradGraph graph = AutogradGraph.of(x.mul(x));
        assertEquals(3, graph.vertices().size());
        assertEquals(
                List.of(new Arrow(1, 2, "[1]"), new Arrow(1, 2, "[1]")),
                graph.arrows().subList(1, 3));
    }

    @Test
    void pictureHasABoxAndATextForEachVertexAndNoOverlaps() {
        AutogradGraph graph = layers();
        String svg = graph.toSvg();
        double[] size = numbers("<svg [^>]* width=\"(.+?)\" height=\"(.+?)\"", svg).getFirst();
        List<double[]> boxes =
                numbers("<rect x=\"(.+?)\" y=\"(.+?)\" width=\"(.+?)\" height=\"(.+?)\"", svg);
        assertEquals(graph.vertices().size(), boxes.size());
        for (int i = 0; i < boxes.size(); i++) {
            double[] a = boxes.get(i);
            assertTrue(a[0] >= 0 && a[0] + a[2] <= size[0]);
            assertTrue(a[1] >= 0 && a[1] + a[3] <= size[1]);
            for (double[] b : boxes.subList(i + 1, boxes.size())) {
                boolean apart =
                        a[0] + a[2] <= b[0]
                                || b[0] + b[2] <= a[0]
                                || a[1] + a[3] <= b[1]
                                || b[1] + b[3] <= a[1];
                assertTrue(apart);
            }
        }
        for (Arrow arrow : graph.arrows()) {
            assertTrue(boxes.get(arrow.from())[1] < boxes.get(arrow.to())[1], "points down");
        }
        assertEquals(
                graph.vertices().size() + (int) graph.arrows().stream().distinct().count(),
                svg.split("</text>", -1).length - 1);
        assertTrue(svg.contains(">w2 [2, 5]</text>"), svg);
        assertTrue(svg.contains(">loss []</text>"), svg);
    }

    /** {@return the groups of each place where a pattern is found, as numbers} */
    private static List<double[]> numbers(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(found ->
                        IntStream.rangeClosed(1, found.groupCount())
                                .mapToDouble(group -> Double.parseDouble(found.group(group)))
                                .toArray())
                .toList();
    }

    @Test
    void specialCharactersAreEscaped() {
        Tensor w = leaf(1);
        String svg = AutogradGraph.of(Map.of("a<b & \"c\"", w), w.exp()).toSvg();
        assertTrue(svg.contains(">a&lt;b &amp; &quot;c&quot; [1]</text>"), svg);
    }

    @Test
    void tensorWithoutGraphIsRefused() {
        assertFails(
                IllegalArgumentException.class,
                "a tensor that requires no gradient has no graph: float32[2]",
                () -> AutogradGraph.of(Tensor.ones(2)));
    }

    @Test
    void longChainIsWrittenButNotDrawn() {
        Tensor x = leaf(1);
        Tensor y = x;
        for (int i = 0; i < 100_000; i++) {
            y = y.add(1);
        }
        AutogradGraph graph = AutogradGraph.of(y);
        assertEquals(100_002, graph.vertices().size());
        assertTrue(graph.toDot().contains("n100000 -> n100001"));
        assertFails(
                IllegalStateException.class,
                "a picture of 100002 vertices is too large",
                graph::toSvg);
        Node node = y.gradFn();
        assertNotNull(node);
        assertFalse(node.nextEdges().isEmpty());
    }
}
