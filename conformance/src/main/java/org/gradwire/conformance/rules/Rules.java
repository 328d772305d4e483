package org.gradwire.conformance.rules;

import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.Stream;

/** The rules, in the order of {@code docs/BACKEND-RULES.md}. */
public final class Rules {
    /** From which the contents of messages follow, where a check makes them up. */
    public static final long SEED = 20_261_121L;

    public static final List<Rule> ALL =
            Stream.of(
                            SelectionRules.ALL,
                            JoiningRules.ALL,
                            SendRules.ALL,
                            SizeRules.ALL,
                            OwnershipRules.ALL,
                            ReceptionRules.ALL,
                            DeadlineRules.ALL,
                            ThreadRules.ALL,
                            LimitRules.ALL,
                            TrustRules.ALL,
                            ExposureRules.ALL,
                            FailureRules.ALL,
                            GroupRules.ALL,
                            CloseRules.ALL,
                            DebugRules.ALL)
                    .flatMap(List::stream)
                    .toList();

    private Rules() {}

    /**
     * Return the rule of an id.
     *
     * @throws NoSuchElementException when there is none
     */
    public static Rule of(String id) {
        return ALL.stream()
                .filter(rule -> rule.id().equals(id))
                .findFirst()
                .orElseThrow(() ->
                        new NoSuchElementException(
                                "no rule '%s'; docs/BACKEND-RULES.md lists them".formatted(id)));
    }
}
