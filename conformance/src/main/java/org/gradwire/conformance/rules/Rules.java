package org.gradwire.conformance.rules;

import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/** The rules, in the order of {@code docs/BACKEND-RULES.md}. */
public final class Rules {
    /** System property that holds a seed, to run the same checks again. */
    public static final String SEED_KEY = "conformance.seed";

    private static final long DRAWN_SEED = ThreadLocalRandom.current().nextLong(1, 1L << 40);

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
                            LimitRules.ALL,
                            TrustRules.ALL,
                            ExposureRules.ALL,
                            UnreadReplyRules.ALL,
                            FailureRules.ALL,
                            LossRules.ALL,
                            GroupRules.ALL,
                            CloseRules.ALL,
                            LeakRules.ALL,
                            DebugRules.ALL)
                    .flatMap(List::stream)
                    .toList();

    /** Rules about what the whole process holds: no other test may run beside them. */
    public static final List<Rule> ALONE = LeakRules.ALL;

    private Rules() {}

    /**
     * {@return the seed of contents, sizes, offsets and ids that a check draws} That of system
     * property {@link #SEED_KEY} at the time, else one that was drawn for this process.
     */
    public static long seed() {
        return Long.getLong(SEED_KEY, DRAWN_SEED);
    }

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
