package org.gradwire.conformance.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedMethod;

import org.gradwire.conformance.BackendConformance;
import org.gradwire.conformance.cases.rpc.BackPressureCases;
import org.gradwire.conformance.harness.NestedSuite;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.support.ReflectionSupport;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Tests which suites {@link BackendConformance} nests. */
class BackendConformanceTest {
    /** A suite that is not nested and has no backend. */
    static class Orphan extends BackPressureCases {
        String name() {
            return backendName();
        }
    }

    @Test
    void everySuiteOfCasesIsNested() {
        Set<String> suites =
                ReflectionSupport.findAllClassesInModule(
                                BackendConformance.class.getModule().getName(),
                                NestedSuite.class::isAssignableFrom,
                                name -> name.endsWith("Cases"))
                        .stream()
                        .map(Class::getName)
                        .collect(Collectors.toSet());
        assertFalse(suites.isEmpty());
        Set<String> nested =
                Stream.of(BackendConformance.class.getDeclaredClasses())
                        .filter(type -> type.isAnnotationPresent(Nested.class))
                        .map(type -> type.getSuperclass().getName())
                        .collect(Collectors.toSet());
        assertEquals(suites, nested);
    }

    @Test
    void aCaseRunsAloneByItsName() {
        String method = "theEndOfTheScopeWaitsForEveryCallInIt";
        TestPlan plan =
                LauncherFactory.create()
                        .discover(
                                LauncherDiscoveryRequestBuilder.request()
                                        .selectors(
                                                selectNestedMethod(
                                                        List.of(
                                                                InprocConformanceTest.class
                                                                        .getName()),
                                                        BackendConformance.class.getName()
                                                                + "$WaitAll",
                                                        method))
                                        .build());
        assertEquals(
                List.of(method + "()"),
                plan.getRoots().stream()
                        .flatMap(root -> plan.getDescendants(root).stream())
                        .filter(TestIdentifier::isTest)
                        .map(TestIdentifier::getDisplayName)
                        .toList());
    }

    @Test
    void aSuiteWithoutABackendSaysWhatToDo() {
        var failure = assertThrows(IllegalStateException.class, () -> new Orphan().name());
        assertTrue(
                String.valueOf(failure.getMessage())
                        .contains(
                                "has no backend: nest it in a class such as BackendConformance, or override backend()"),
                failure::toString);
    }
}
