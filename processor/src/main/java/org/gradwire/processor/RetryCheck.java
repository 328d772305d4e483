package org.gradwire.processor;

import org.jspecify.annotations.Nullable;

import java.util.function.DoublePredicate;

import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.util.Elements;

/** Checks the values of {@code @Retry} by the rules of {@code RetryPolicy}. */
final class RetryCheck {
    private final Elements elements;
    private final Reports reports;

    /** The condition on a value. */
    private enum Rule {
        MAX_RETRIES("maxRetries", value -> value >= 0, "0 or more"),
        FIRST_DELAY("firstDelayMillis", value -> value >= 0, "0 or more"),
        BACKOFF("backoff", value -> value >= 1 && Double.isFinite(value), "1 or more, and finite"),
        ATTEMPT_TIMEOUT("attemptTimeoutMillis", value -> value >= 1, "1 or more");

        private final String name;
        private final DoublePredicate isMet;
        private final String text;

        Rule(String name, DoublePredicate isMet, String text) {
            this.name = name;
            this.isMet = isMet;
            this.text = text;
        }
    }

    RetryCheck(Elements elements, Reports reports) {
        this.elements = elements;
        this.reports = reports;
    }

    void check(ExecutableElement function) {
        AnnotationMirror mark = Marks.retry(function);
        if (mark == null || Marks.isBuiltin(function)) {
            return;
        }
        String name = Names.of(function);
        if (!Marks.isCallable(function)) {
            reports.add(function, Problem.RETRY_ALONE, name);
        }
        for (Rule rule : Rule.values()) {
            Number value = value(mark, rule.name);
            if (value != null && !rule.isMet.test(value.doubleValue())) {
                reports.add(
                        function, Problem.RETRY_VALUE, name, rule.name + " = " + value, rule.text);
            }
        }
    }

    private @Nullable Number value(AnnotationMirror mark, String name) {
        return elements.getElementValuesWithDefaults(mark).entrySet().stream()
                .filter(entry -> entry.getKey().getSimpleName().contentEquals(name))
                .map(entry -> entry.getValue().getValue())
                .filter(Number.class::isInstance)
                .map(Number.class::cast)
                .findFirst()
                .orElse(null);
    }
}
