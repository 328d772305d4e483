package org.gradwire.conformance.report;

import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.CaseSuite;
import org.gradwire.conformance.harness.ReportKeys;
import org.gradwire.conformance.harness.SpecProperty;
import org.junit.platform.commons.support.ReflectionSupport;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Determines the kind, id and backend of a test. Confined to one thread. */
final class TestNames {
    /** Display names of dynamic tests contain their kind and id. */
    private static final Pattern DYNAMIC = Pattern.compile("^(rule|broken) ([^:]+): ?(.*)");

    private final Map<Class<?>, String> backends = new HashMap<>();
    private final TestPlan plan;

    TestNames(TestPlan plan) {
        this.plan = plan;
    }

    /** Add kind, id and backend of a test, unless its entries already contain them. */
    void describe(TestIdentifier test, Map<String, String> said) {
        Matcher dynamic = DYNAMIC.matcher(test.getDisplayName());
        if (dynamic.find()) {
            said.putIfAbsent(ReportKeys.KIND, dynamic.group(1));
            said.putIfAbsent(ReportKeys.ID, dynamic.group(2));
        }
        method(test).ifPresent(method -> describe(method, said));
        said.putIfAbsent(ReportKeys.KIND, (isOfSuite(test) ? Kind.CASE : Kind.TEST).text());
        said.putIfAbsent(ReportKeys.ID, name(test));
        said.computeIfAbsent(ReportKeys.BACKEND, _ -> backend(test));
    }

    private static void describe(Method method, Map<String, String> said) {
        Optional.ofNullable(method.getAnnotation(Case.class))
                .ifPresent(annotation -> {
                    said.putIfAbsent(ReportKeys.ID, annotation.value());
                    said.putIfAbsent(ReportKeys.KIND, Kind.CASE.text());
                });
        Optional.ofNullable(method.getAnnotation(SpecProperty.class))
                .ifPresent(annotation -> {
                    said.putIfAbsent(ReportKeys.ID, annotation.value());
                    said.putIfAbsent(ReportKeys.KIND, Kind.PROPERTY.text());
                });
    }

    /** {@return the title of a test: its text, or the words of its method name} */
    static String title(TestIdentifier test) {
        Matcher dynamic = DYNAMIC.matcher(test.getDisplayName());
        return dynamic.find()
                ? dynamic.group(3)
                : test.getDisplayName()
                        .replaceFirst("\\(.*", "")
                        .replaceAll("([a-z0-9])([A-Z])", "$1 $2")
                        .replace("_", ", ")
                        .toLowerCase(Locale.ROOT);
    }

    /**
     * {@return class and method of a test, and its display name if the method produces several
     * tests}
     */
    private static String name(TestIdentifier test) {
        Optional<Method> method = method(test);
        if (method.isEmpty()) {
            return type(test).map(Class::getSimpleName).orElse(test.getDisplayName());
        }
        String declared =
                method.get().getDeclaringClass().getSimpleName() + "." + method.get().getName();
        return test.getDisplayName().startsWith(method.get().getName())
                ? declared
                : "%s[%s]".formatted(declared, test.getDisplayName());
    }

    private static Optional<Method> method(TestIdentifier test) {
        return test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(source -> ((MethodSource) source).getJavaMethod());
    }

    /** {@return the class of a test or test class} */
    private static Optional<Class<?>> type(TestIdentifier test) {
        Optional<TestSource> source = test.getSource();
        return source.filter(ClassSource.class::isInstance)
                .<Class<?>>map(known -> ((ClassSource) known).getJavaClass())
                .or(() ->
                        source.filter(MethodSource.class::isInstance)
                                .map(known -> ((MethodSource) known).getJavaClass()));
    }

    private static boolean isOfSuite(TestIdentifier test) {
        return type(test).filter(CaseSuite.class::isAssignableFrom).isPresent();
    }

    /** {@return the backend of the nearest enclosing suite, for a test that did not publish it} */
    private String backend(TestIdentifier test) {
        Optional<TestIdentifier> next = Optional.of(test);
        while (next.isPresent()) {
            String name =
                    type(next.get())
                            .map(type -> backends.computeIfAbsent(type, TestNames::backendOf))
                            .orElse("");
            if (!name.isEmpty()) {
                return name;
            }
            next = next.flatMap(plan::getParent);
        }
        return "";
    }

    private static String backendOf(Class<?> type) {
        if (!CaseSuite.class.isAssignableFrom(type)) {
            return "";
        }
        try {
            return ((CaseSuite) ReflectionSupport.newInstance(type)).backendName();
        } catch (Exception e) {
            return ""; // a nested class, whose outer class is tried next, or a class that fails to
            // instantiate
        }
    }
}
