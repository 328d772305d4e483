package org.gradwire.conformance.rules;

import static org.gradwire.conformance.rules.Checks.number;
import static org.gradwire.conformance.rules.Checks.request;

import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.Message;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** Sends many small requests from one thread to echoing workers, several at a time. */
final class Volley {
    private static final int AT_A_TIME = 1_000;

    // Plain requests, which test only the rule that every request ends.
    private static final int CONTROLS = 5_000;
    private static final int CONTROLS_AT_A_TIME = 64;
    private static final long CONTROL_MILLIS = 60_000;

    private Volley() {}

    /** Send numbers that must be echoed; {@return the first finding, or null} */
    static @Nullable String firstLost(AgentWorld world, int from, int to, int first, int count) {
        String lost = null;
        for (int begin = first; lost == null && begin < first + count; begin += AT_A_TIME) {
            lost = firstLost(world, from, to, begin, Math.min(first + count, begin + AT_A_TIME), 0);
        }
        return lost;
    }

    private static @Nullable String firstLost(
            AgentWorld world, int from, int to, int begin, int end, long timeoutMillis) {
        List<Outcome> outcomes = new ArrayList<>();
        for (int n = begin; n < end; n++) {
            outcomes.add(world.agent(from).send(to, request(n), timeoutMillis));
        }
        for (int n = begin; n < end; n++) {
            Outcome outcome = outcomes.get(n - begin);
            if (!outcome.await(world.patienceMillis())) {
                return "request %d never ended".formatted(n);
            }
            Message reply = outcome.reply();
            if (reply == null || reply.payload().length != Integer.BYTES || number(reply) != n) {
                return "request %d ended with %s"
                        .formatted(n, reply == null ? outcome.failure() : describe(reply));
            }
        }
        return null;
    }

    private static String describe(Message reply) {
        return reply.payload().length == Integer.BYTES
                ? "the reply to request " + number(reply)
                : reply.toString();
    }

    /** {@return the first finding of plain requests in a new group, or null} */
    static @Nullable String firstLost(BackendProvider provider, BackendUnderTest backend) {
        try (AgentWorld world = AgentWorld.connected(provider, backend, 2)) {
            String lost = null;
            for (int n = 0; lost == null && n < CONTROLS; n += CONTROLS_AT_A_TIME) {
                lost = firstLost(world, 0, 1, n, n + CONTROLS_AT_A_TIME, CONTROL_MILLIS);
            }
            return lost;
        } catch (AssertionError | RuntimeException e) {
            return null; // no group could be created, which proves nothing about requests
        }
    }
}
