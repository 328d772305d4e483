package org.gradwire.tensor.drawing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

import org.gradwire.tensor.drawing.Drawing.Arrow;
import org.gradwire.tensor.drawing.Drawing.Box;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Pictures of random graphs, whose geometry is read back from the text. */
class DrawingTest {
    private static final double TOLERANCE = 0.11; // numbers are written with one digit
    private static final Pattern RECTANGLE =
            Pattern.compile(
                    "<rect x=\"(.+?)\" y=\"(.+?)\" width=\"(.+?)\" height=\"(.+?)\" rx=\"(.)\"");
    private static final Pattern PATH = Pattern.compile("<path d=\"(M[^\"]+)\" fill=\"none\"");
    private static final Pattern SIZE =
            Pattern.compile("<svg [^>]* width=\"(.+?)\" height=\"(.+?)\"");
    private static final String BOX = "5";
    private static final String FRAME = "8";

    /** A rectangle; y grows downward. */
    private record Area(double left, double top, double right, double bottom) {
        boolean contains(Area other) {
            return left <= other.left + TOLERANCE
                    && other.right <= right + TOLERANCE
                    && top <= other.top + TOLERANCE
                    && other.bottom <= bottom + TOLERANCE;
        }

        boolean isApartFrom(Area other) {
            return right <= other.left
                    || other.right <= left
                    || bottom <= other.top
                    || other.bottom <= top;
        }
    }

    @Provide
    Arbitrary<Drawing> drawings() {
        Arbitrary<Integer> number = Arbitraries.integers().between(0, 1000);
        return Combinators.combine(
                        Arbitraries.integers().between(1, 5),
                        Combinators.combine(number, number)
                                .as(List::of)
                                .list()
                                .ofMinSize(1)
                                .ofMaxSize(30),
                        Combinators.combine(number, number).as(List::of).list().ofMaxSize(40))
                .as(DrawingTest::drawing);
    }

    private static Drawing drawing(
            int places, List<List<Integer>> boxes, List<List<Integer>> arrows) {
        List<Box> drawn = new ArrayList<>();
        for (List<Integer> box : boxes) {
            String text = "x".repeat(1 + box.getFirst() % 30);
            String place = "worker" + box.getLast() % places;
            drawn.add(new Box("n" + drawn.size(), text, "#ffffff", place));
        }
        List<Arrow> between = new ArrayList<>();
        for (List<Integer> arrow : arrows) {
            int a = arrow.getFirst() % boxes.size();
            int b = arrow.getLast() % boxes.size();
            if (a != b) {
                int from = Math.min(a, b);
                int to = Math.max(a, b);
                boolean remote = !drawn.get(from).place().equals(drawn.get(to).place());
                between.add(new Arrow(from, to, "", remote));
            }
        }
        return new Drawing(drawn, between);
    }

    /** Boxes are apart, each in the frame of its place only; frames are apart, and all is seen. */
    @Property(tries = 300)
    void nothingLiesOnSomethingElse(@ForAll("drawings") Drawing drawing) {
        String svg = drawing.toSvg();
        MatchResult size = SIZE.matcher(svg).results().findFirst().orElseThrow();
        var picture = new Area(0, 0, number(size, 1), number(size, 2));
        List<Area> boxes = rectangles(svg, BOX);
        List<Area> frames = rectangles(svg, FRAME);
        List<String> places = drawing.boxes().stream().map(Box::place).distinct().toList();
        assertEquals(drawing.boxes().size(), boxes.size());
        assertEquals(places.size(), frames.size());
        assertApart(boxes);
        assertApart(frames);
        frames.forEach(frame -> assertTrue(picture.contains(frame), svg));
        for (int i = 0; i < boxes.size(); i++) {
            int own = places.indexOf(drawing.boxes().get(i).place());
            for (int place = 0; place < frames.size(); place++) {
                Area frame = frames.get(place);
                assertTrue(
                        place == own
                                ? frame.contains(boxes.get(i))
                                : frame.isApartFrom(boxes.get(i)),
                        svg);
            }
        }
    }

    private static void assertApart(List<Area> areas) {
        for (int i = 0; i < areas.size(); i++) {
            for (int j = 0; j < i; j++) {
                Area a = areas.get(i);
                Area b = areas.get(j);
                assertTrue(a.isApartFrom(b), () -> a + " and " + b);
            }
        }
    }

    /** An arrow goes from the lower edge of its box down to the upper edge of the other one. */
    @Property(tries = 300)
    void arrowsEndAtTheirBoxesAndPassNoOther(@ForAll("drawings") Drawing drawing) {
        String svg = drawing.toSvg();
        List<Area> boxes = rectangles(svg, BOX);
        List<String> paths = PATH.matcher(svg).results().map(found -> found.group(1)).toList();
        assertEquals(drawing.arrows().size(), paths.size());
        for (int i = 0; i < paths.size(); i++) {
            Arrow arrow = drawing.arrows().get(i);
            List<double[]> points = points(paths.get(i));
            assertOnEdge(
                    boxes.get(arrow.from()), boxes.get(arrow.from()).bottom, points.getFirst());
            assertOnEdge(boxes.get(arrow.to()), boxes.get(arrow.to()).top, points.getLast());
            for (int p = 1; p < points.size(); p++) {
                Area within = around(points.get(p - 1), points.get(p));
                assertTrue(within.top <= within.bottom, () -> "upwards: " + within);
                boxes.forEach(box ->
                        assertTrue(within.isApartFrom(box), () -> within + " passes " + box));
            }
        }
    }

    private static void assertOnEdge(Area box, double edge, double[] point) {
        assertEquals(edge, point[1], TOLERANCE);
        assertTrue(
                box.left < point[0] && point[0] < box.right, () -> point[0] + " is beside " + box);
    }

    /** The points that a path goes through: of each command, the last one. A curve stays within. */
    private static List<double[]> points(String path) {
        List<double[]> points = new ArrayList<>();
        for (String command : path.split("(?=[MCL])", -1)) {
            String[] numbers = command.substring(1).split(" ", -1);
            points.add(
                    new double[] {
                        Double.parseDouble(numbers[numbers.length - 2]),
                        Double.parseDouble(numbers[numbers.length - 1])
                    });
        }
        return points;
    }

    /** The area that a part of an arrow runs in, less what rounding may add to it. */
    private static Area around(double[] from, double[] to) {
        return new Area(
                Math.min(from[0], to[0]),
                from[1] + TOLERANCE,
                Math.max(from[0], to[0]),
                to[1] - TOLERANCE);
    }

    private static List<Area> rectangles(String svg, String radius) {
        return RECTANGLE
                .matcher(svg)
                .results()
                .filter(found -> found.group(5).equals(radius))
                .map(found ->
                        new Area(
                                number(found, 1),
                                number(found, 2),
                                number(found, 1) + number(found, 3),
                                number(found, 2) + number(found, 4)))
                .toList();
    }

    private static double number(MatchResult found, int group) {
        return Double.parseDouble(found.group(group));
    }

    @Test
    void longNameOfAPlaceWidensItsFrame() {
        String name = "a-worker-with-a-name-that-is-much-longer-than-its-boxes";
        var drawing =
                new Drawing(
                        List.of(
                                new Box("a", "x", "#ffffff", "first"),
                                new Box("b", "x", "#ffffff", name),
                                new Box("c", "x", "#ffffff", "last")),
                        List.of(new Arrow(0, 1, "", true), new Arrow(0, 2, "", true)));
        List<Area> frames = rectangles(drawing.toSvg(), FRAME);
        assertApart(frames);
        Area wide = frames.get(1);
        assertTrue(wide.right - wide.left > 7 * name.length(), wide::toString);
    }

    @Test
    void cycleIsRefused() {
        var drawing =
                new Drawing(
                        List.of(new Box("a", "x", "#ffffff", ""), new Box("b", "x", "#ffffff", "")),
                        List.of(new Arrow(0, 1, "", false), new Arrow(1, 0, "", false)));
        assertEquals(
                "a graph with a cycle cannot be drawn; only directed acyclic graphs can",
                assertThrows(IllegalStateException.class, drawing::toSvg).getMessage());
    }

    @Test
    void emptyDrawingIsAPicture() {
        var empty = new Drawing(List.of(), List.of());
        assertTrue(empty.toSvg().endsWith("</svg>\n"));
        assertTrue(empty.toDot().endsWith("}\n"));
    }
}
