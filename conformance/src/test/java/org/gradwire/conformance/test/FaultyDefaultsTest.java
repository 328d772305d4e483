package org.gradwire.conformance.test;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.gradwire.conformance.cases.autograd.CleanUp;
import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.CaseSuite;
import org.gradwire.tensor.Tensor;

import java.util.Map;

/** Tests the faulty backend with its defaults: failing control messages and delayed calls. */
class FaultyDefaultsTest extends CaseSuite {
    @Override
    protected BackendUnderTest backend() {
        return BackendUnderTest.of(
                "faulty",
                Map.of("gradwire.backend", "faulty", "gradwire.faulty.backend", "inproc"));
    }

    @Case("DA-097")
    void contextsAreGoneEverywhereThoughTheMessagesFail() {
        world(4).run(self ->
                CleanUp.afterCalls(
                        self,
                        Tensor.ones(3, 3).requiresGrad(true),
                        Tensor.zeros(3, 3).requiresGrad(true)));
    }

    @Case("DA-098")
    void defaultsAreThoseOfPyTorchsTests() {
        world(4).run(self -> {
            Map<String, String> info = self.rpc().debugInfo();
            assertEquals("faulty", info.get("agent.backend"));
            assertEquals("8", info.get("agent.thread_pool_size"));
            assertEquals("3", info.get("faulty.num_fail_sends"));
            assertEquals(
                    "CLEANUP_AUTOGRAD_CONTEXT_REQ,RREF_CHILD_ACCEPT,RREF_FORK_REQUEST,RREF_USER_DELETE",
                    info.get("faulty.messages_to_fail"));
            assertEquals("SCRIPT_CALL,UDF_CALL", info.get("faulty.messages_to_delay"));
        });
    }
}
