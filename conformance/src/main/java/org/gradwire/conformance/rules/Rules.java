package org.gradwire.conformance.rules;

import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.Stream;

/** All rules, in the order of {@code docs/BACKEND-RULES.md}. */
public final class Rules {
    public static final List<Rule> ALL =
            Stream.of(
                            SelectionRules.ALL,
                            JoiningRules.ALL,
                            SendRules.ALL,
                            IdRules.ALL,
                            SizeRules.ALL,
                            ContentRules.ALL,
                            OwnershipRules.ALL,
                            KeepingRules.ALL,
                            ReceptionRules.ALL,
                            DeadlineRules.ALL,
                            ThreadRules.ALL,
                            CallerRules.ALL,
                            CollectiveRules.ALL,
                            LentThreadRules.ALL,
                            LimitRules.ALL,
                            TrustRules.ALL,
                            ExposureRules.ALL,
                            UnreadReplyRules.ALL,
                            AuthorizationRules.ALL,
                            CertificateRules.ALL,
                            FailureRules.ALL,
                            LossRules.ALL,
                            GroupRules.ALL,
                            CloseRules.ALL,
                            LeakRules.ALL,
                            DebugRules.ALL)
                    .flatMap(List::stream)
                    .toList();

    /** Rules that measure the whole process: no other test may run at the same time. */
    public static final List<Rule> ALONE = LeakRules.ALL;

    private Rules() {}

    /**
     * Return the rule with an id.
     *
     * @throws NoSuchElementException if there is none
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
