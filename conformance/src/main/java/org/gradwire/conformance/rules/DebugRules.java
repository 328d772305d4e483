package org.gradwire.conformance.rules;

import static org.gradwire.conformance.rules.Checks.check;
import static org.gradwire.conformance.rules.Checks.checkAnswered;
import static org.gradwire.conformance.rules.Checks.eventually;
import static org.gradwire.conformance.rules.Checks.request;

import java.util.List;
import java.util.Map;

/** Rules about debugInfo. */
final class DebugRules {
    private static final int REQUESTS = 37;

    static final List<Rule> ALL =
            List.of(
                    Rule.of(
                            "INFO-1",
                            "MUST return metrics from debugInfo, under keys with the backend's prefix, at any time after start.",
                            "an empty map, a null, an exception while peers join and leave",
                            2,
                            DebugRules::reportsMetrics),
                    Rule.of(
                            "INFO-2",
                            "SHOULD report in debugInfo, under one of its keys, the number of its pending requests.",
                            "metrics that are read once, a table of pending calls without a size",
                            2,
                            DebugRules::countsWhatIsUnderWay));

    private DebugRules() {}

    private static void reportsMetrics(AgentWorld world) {
        checkMetrics(world.agent(0), "when connected");
        checkAnswered(world, 0, 1, "before its metrics are read");
        checkMetrics(world.agent(0), "after a call");
        world.agent(1).close();
        check(
                eventually(world, () -> !world.agent(0).lostPeers().isEmpty()),
                "the loss of a peer was not reported");
        checkMetrics(world.agent(0), "after the loss of a peer");
        world.agent(0).close();
        try {
            world.agent(0).agent().debugInfo();
        } catch (RuntimeException e) {
            throw new AssertionError("debugInfo of a closed agent threw " + e, e);
        }
    }

    private static void countsWhatIsUnderWay(AgentWorld world) {
        Map<String, String> before = world.agent(0).agent().debugInfo();
        world.agent(1).behave((_, _, _) -> {});
        for (int i = 0; i < REQUESTS; i++) {
            world.agent(0).send(1, request(i), 0);
        }
        check(
                eventually(world, () -> world.agent(1).requests() == REQUESTS),
                "%d of %d requests arrived",
                world.agent(1).requests(),
                REQUESTS);
        Map<String, String> amid = world.agent(0).agent().debugInfo();
        check(
                amid.entrySet().stream().anyMatch(metric -> counts(metric, before)),
                "no metric shows %d pending requests: %s, and before %s",
                REQUESTS,
                amid,
                before);
    }

    private static boolean counts(Map.Entry<String, String> metric, Map<String, String> before) {
        return metric.getValue().equals(Integer.toString(REQUESTS))
                && before.getOrDefault(metric.getKey(), "0").equals("0");
    }

    private static void checkMetrics(TestAgent agent, String when) {
        Map<String, String> metrics = agent.agent().debugInfo();
        check(!metrics.isEmpty(), "debugInfo is empty %s", when);
        metrics.forEach((key, _) ->
                check(
                        key.matches("[a-z][a-z0-9-]*[.][A-Za-z0-9_.-]+"),
                        "the key '%s' %s does not begin with a backend's name and a dot",
                        key,
                        when));
    }
}
