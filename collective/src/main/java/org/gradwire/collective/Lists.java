package org.gradwire.collective;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Lists that mostly have one element, for operations of a few microseconds. */
final class Lists {

    private Lists() {}

    /** {@return the results of a function for the elements} */
    static <T, R> List<R> map(List<? extends T> list, Function<? super T, ? extends R> function) {
        if (list.size() == 1) {
            return List.of(function.apply(list.getFirst()));
        }
        List<R> mapped = new ArrayList<>(list.size());
        for (T element : list) {
            mapped.add(function.apply(element));
        }
        return mapped;
    }
}
