package org.gradwire.examples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.examples.Workers;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.security.AuthorizationRequest;
import org.junit.jupiter.api.Test;

/** The permissions that the guide shows. */
class PermissionsTest {
    @Test
    void thePolicyPermitsOneFunction() throws Exception {
        String printed =
                Workers.print(
                        2,
                        options -> Permissions.permitting(options.worldSize(2)),
                        rpc -> {
                            if (rpc.self().id() == 0) {
                                Permissions.run(rpc);
                            }
                        });
        assertEquals(
                """
                Summary[words=6, longest=not]
                Error on Node 1: permission denied: worker worker0 may not use org.gradwire.examples.guide.Texts.longest here
                """,
                printed);
    }

    @Test
    void visitorsFetchAndDoNothingElse() {
        assertTrue(isPermitted("visitor1", "gradwire::fetch"));
        assertFalse(isPermitted("visitor1", "org.x.Jobs.train"));
        assertTrue(isPermitted("trainer1", "org.x.Jobs.train"));
    }

    private static boolean isPermitted(String caller, String action) {
        var request =
                new AuthorizationRequest(
                        new WorkerInfo(0, "ps"), new WorkerInfo(1, caller), action);
        return new VisitorsOnlyRead().isPermitted(request);
    }
}
