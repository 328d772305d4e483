package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RRef;
import org.gradwire.runtime.tests.functions.Numbers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import javax.management.Attribute;
import javax.management.AttributeNotFoundException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** Workers as JMX beans. */
@Timeout(60)
class ManagementTest {
    private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

    private static Set<ObjectName> shown(String worker) throws Exception {
        return SERVER.queryNames(
                new ObjectName("org.gradwire:type=Worker,name=\"" + worker + "\",*"), null);
    }

    @Test
    void metricsAreAttributesDuringTheWorkersLife() throws Exception {
        InprocGroup.run(
                2,
                Map.of("gradwire.jmx", "true"),
                rpc -> {
                    rpc.barrier(); // both are registered
                    if (rpc.self().id() != 0) {
                        return;
                    }
                    ObjectName name = shown("worker0").iterator().next();
                    assertEquals(1, shown("worker1").size());
                    Set<String> attributes =
                            Arrays.stream(SERVER.getMBeanInfo(name).getAttributes())
                                    .map(MBeanAttributeInfo::getName)
                                    .collect(Collectors.toCollection(TreeSet::new));
                    assertEquals(rpc.debugInfo().keySet(), attributes);
                    assertEquals("inproc", SERVER.getAttribute(name, "agent.backend"));
                    try (RRef<Integer> rref = rpc.remote("worker1", Numbers::square, 3)) {
                        rref.confirmation().join();
                        ObjectName owner = shown("worker1").iterator().next();
                        assertEquals("1", SERVER.getAttribute(owner, "num_owner_rrefs"));
                    }
                    assertThrows(
                            AttributeNotFoundException.class,
                            () -> SERVER.getAttribute(name, "no_such_figure"));
                    assertThrows(
                            AttributeNotFoundException.class,
                            () ->
                                    SERVER.setAttribute(
                                            name, new Attribute("agent.backend", "mine")));
                });
        assertTrue(shown("worker0").isEmpty());
        assertTrue(shown("worker1").isEmpty());
    }

    @Test
    void workersAreNotRegisteredByDefault() throws Exception {
        InprocGroup.runFirst(1, rpc -> assertTrue(shown("worker0").isEmpty()));
    }
}
