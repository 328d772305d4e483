package org.gradwire.bench.local;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** All operators that are measured, by the labels of their metrics. */
public final class OperatorCases {
    private static final String PREFIX = "operator.";
    private static final String BACKWARD = ".fwdbwd";

    private OperatorCases() {}

    /** {@return makers of the calls; the memory of an operator is taken when its call is made} */
    public static Map<String, Supplier<Runnable>> all() {
        Map<String, Supplier<Runnable>> calls = new LinkedHashMap<>();
        Stream.of(ElementCases.all(), LayoutCases.all(), RowCases.all(), LayerCases.all())
                .flatMap(List::stream)
                .forEach(operator -> {
                    calls.put(PREFIX + operator.name(), operator::forward);
                    if (operator.hasBackward()) {
                        calls.put(PREFIX + operator.name() + BACKWARD, operator::backward);
                    }
                });
        return calls;
    }
}
