package org.gradwire.runtime.tests.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.gradwire.runtime.tests.functions.Values.Point;
import org.gradwire.runtime.wire.Values;
import org.gradwire.spi.Input;
import org.gradwire.spi.Output;
import org.gradwire.spi.ValueCodec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** The search for values inside a value, and its completeness. */
class ValueContentsTest {
    private static final Needle NEEDLE = new Needle();

    private final List<Needle> found = new ArrayList<>();

    /** The value to find. */
    private static final class Needle {}

    private static final class Plain {}

    private static final class Opaque {}

    private record Unmarked(Needle needle) {}

    private record Codec<T>(String tag, Class<T> type, boolean holdsReferences)
            implements ValueCodec<T> {
        @Override
        public boolean runsOnPoller() {
            return true;
        }

        @Override
        public void encode(T value, Output out) {
            throw new AssertionError("nothing is written");
        }

        @Override
        public T decode(Input in) {
            throw new AssertionError("nothing is read");
        }
    }

    private final Values values =
            new Values(
                    List.of(
                            new Codec<>("plain", Plain.class, false),
                            new Codec<>("opaque", Opaque.class, true)),
                    ValueContentsTest.class.getClassLoader());

    private void assertFound(int count, boolean isAll, @Nullable Object value) {
        found.clear();
        String text = String.valueOf(value);
        assertEquals(isAll, values.findIn(value, Needle.class, found::add), text);
        if (isAll) {
            assertEquals(count, found.size(), text);
        }
    }

    @Test
    void plainValuesHaveNoContents() {
        for (Object value :
                Arrays.asList(
                        null,
                        1,
                        2L,
                        3.0,
                        "text",
                        true,
                        'c',
                        new int[3],
                        new Plain(),
                        new AtomicInteger(),
                        Thread.State.NEW,
                        new Point(1, 2))) {
            assertFound(0, true, value);
        }
    }

    @Test
    void collectionsAreSearched() {
        assertFound(1, true, NEEDLE);
        assertFound(2, true, Arrays.asList(NEEDLE, null, Optional.of(NEEDLE), Optional.empty()));
        assertFound(1, true, Set.of(NEEDLE));
        assertFound(2, true, Map.of("key", NEEDLE, NEEDLE, "value"));
        assertFound(2, true, new Object[] {NEEDLE, new Object[] {NEEDLE}});
    }

    @Test
    void otherObjectsMayHoldMore() {
        List<Needle> own =
                new AbstractList<>() {
                    @Override
                    public Needle get(int index) {
                        return NEEDLE;
                    }

                    @Override
                    public int size() {
                        return 1;
                    }
                };
        for (Object value : List.of(new Opaque(), new Object(), new Unmarked(NEEDLE), own)) {
            assertFound(0, false, value);
            assertFound(0, false, List.of(NEEDLE, value));
        }
    }

    @Test
    void searchOfACyclicListEnds() {
        List<Object> list = new ArrayList<>();
        list.add(list);
        found.clear();
        assertEquals(false, values.findIn(list, Needle.class, found::add));
    }
}
