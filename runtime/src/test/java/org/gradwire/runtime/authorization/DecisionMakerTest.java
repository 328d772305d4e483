package org.gradwire.runtime.authorization;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.WorkerInfo;
import org.gradwire.security.AuthorizationRequest;
import org.gradwire.security.Authorizer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/** Decisions by a policy and by authorizers. */
class DecisionMakerTest {
    private static final WorkerInfo SELF = new WorkerInfo(0, "ps");
    private static final WorkerInfo TRAINER = new WorkerInfo(1, "trainer0");
    private static final String LOOK_UP = "org.x.Embedding.lookUp";

    private static DecisionMaker maker(@Nullable String policy, Authorizer... authorizers) {
        Policy parsed = policy == null ? null : new PolicyParser(policy, "the options").parse();
        return new DecisionMaker(SELF, parsed, List.of(authorizers));
    }

    @Test
    void withoutPolicyAndAuthorizerNothingIsDecided() {
        assertFalse(maker(null).isActive());
        assertTrue(maker("a: b.c").isActive());
        assertTrue(maker(null, _ -> true).isActive());
    }

    @Test
    void whatNoRulePermitsIsDenied() {
        DecisionMaker maker = maker("trainer*: org.x.Embedding.*; eve: x.y; *: x.z");
        assertEquals(Decision.PERMITTED, maker.decide(TRAINER, LOOK_UP));
        assertEquals(
                Decision.denied(
                        "the rules of gradwire.allow for the worker permit other actions only: eve: x.y; *: x.z"),
                maker.decide(new WorkerInfo(2, "eve"), LOOK_UP));
        assertEquals(
                Decision.denied("no rule of gradwire.allow concerns the worker"),
                maker("a: b.c").decide(TRAINER, LOOK_UP));
    }

    @Test
    void allHaveToPermit() {
        List<AuthorizationRequest> asked = new ArrayList<>();
        Authorizer yes = asked::add;
        Authorizer no = new Refusing();
        assertEquals(Decision.PERMITTED, maker(null, yes, yes).decide(TRAINER, LOOK_UP));
        assertEquals(
                List.of(
                        new AuthorizationRequest(SELF, TRAINER, LOOK_UP),
                        new AuthorizationRequest(SELF, TRAINER, LOOK_UP)),
                asked);
        assertEquals(
                Decision.denied("authorizer " + Refusing.class.getName()),
                maker("trainer0: *", yes, no).decide(TRAINER, LOOK_UP));
        assertFalse(maker("x: *", yes).decide(TRAINER, LOOK_UP).isPermitted());
        assertEquals(3, asked.size(), "asked although the policy denies");
    }

    private static final class Refusing implements Authorizer {
        @Override
        public boolean isPermitted(AuthorizationRequest request) {
            return false;
        }
    }

    @Test
    void aFailingAuthorizerDeniesForNow() {
        Authorizer failing =
                _ -> {
                    throw new IllegalStateException("no database");
                };
        Decision decision = maker("*: *", failing).decide(TRAINER, LOOK_UP);
        assertFalse(decision.isPermitted());
        assertFalse(decision.isFinal());
        assertTrue(decision.reason().endsWith("no database"), decision.reason());
    }

    @Test
    void decisionsAreMadeOnceUnlessAnAuthorizerFailed() {
        List<String> asked = new ArrayList<>();
        DecisionMaker maker =
                maker(
                        null,
                        request -> {
                            asked.add(request.action());
                            if (request.action().equals("x.fails")) {
                                throw new IllegalStateException("down");
                            }
                            return !request.action().equals("x.no");
                        });
        var permissions = new CallerPermissions(TRAINER, maker);
        for (int i = 0; i < 2; i++) {
            assertTrue(permissions.of("x.yes").isPermitted());
            assertFalse(permissions.of("x.no").isPermitted());
            assertFalse(permissions.of("x.fails").isPermitted());
        }
        assertEquals(List.of("x.yes", "x.no", "x.fails", "x.fails"), asked);
    }

    @Test
    void onlyAPolicyAloneLetsACallerLearnThatAFunctionIsMissing() {
        assertTrue(maker("trainer*: org.x.*").maySearch(TRAINER, LOOK_UP));
        assertFalse(maker("trainer*: org.y.*").maySearch(TRAINER, LOOK_UP));
        assertFalse(maker("trainer*: org.x.*", _ -> true).maySearch(TRAINER, LOOK_UP));
        assertFalse(maker(null, _ -> true).maySearch(TRAINER, LOOK_UP));
    }
}
