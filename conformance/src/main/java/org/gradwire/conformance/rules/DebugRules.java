package org.gradwire.conformance.rules;

import static org.gradwire.conformance.rules.Checks.check;
import static org.gradwire.conformance.rules.Checks.checkAnswered;
import static org.gradwire.conformance.rules.Checks.eventually;
import static org.gradwire.conformance.rules.Checks.request;

import java.util.List;
import java.util.Map;

/** What an agent tells of itself. */
final class DebugRules {
    private static final int REQUESTS = 37;

    static final List<Rule> ALL =
            List.of(
                    Rule.of(
                            "INFO-1",
                            "MUST give figures in debugInfo, under keys with the prefix of their backend, at any time after start.",
                            "an empty map, a null, an exception while peers come and go",
                            2,
                            DebugRules::tellsFigures),
                    Rule.of(
                            "INFO-2",
                            "SHOULD say in debugInfo, under one of its keys, how many of its requests are under way.",
                            "figures that are read once, a table of requests that nobody can look into",
                            2,
                            DebugRules::countsWhatIsUnderWay));

    private DebugRules() {}

    private static void tellsFigures(AgentWorld world) {
        checkFigures(world.agent(0), "when connected");
        checkAnswered(world, 0, 1, "before its figures are looked at");
        checkFigures(world.agent(0), "after a call");
        world.agent(1).close();
        check(
                eventually(world, () -> !world.agent(0).lostPeers().isEmpty()),
                "the loss of a peer was not told");
        checkFigures(world.agent(0), "after the loss of a peer");
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
                amid.entrySet().stream().anyMatch(figure -> counts(figure, before)),
                "no figure says that %d requests are under way: %s, and before %s",
                REQUESTS,
                amid,
                before);
    }

    private static boolean counts(Map.Entry<String, String> figure, Map<String, String> before) {
        return figure.getValue().equals(Integer.toString(REQUESTS))
                && before.getOrDefault(figure.getKey(), "0").equals("0");
    }

    private static void checkFigures(TestAgent agent, String when) {
        Map<String, String> figures = agent.agent().debugInfo();
        check(!figures.isEmpty(), "debugInfo is empty %s", when);
        figures.forEach((key, _) ->
                check(
                        key.matches("[a-z][a-z0-9-]*[.][A-Za-z0-9_.-]+"),
                        "the key '%s' %s does not begin with a backend's name and a dot",
                        key,
                        when));
    }
}
