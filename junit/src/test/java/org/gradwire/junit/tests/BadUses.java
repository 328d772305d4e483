package org.gradwire.junit.tests;

import org.gradwire.junit.GradwireWorkers;
import org.gradwire.junit.Worker;
import org.gradwire.junit.Workers;
import org.gradwire.rpc.Rpc;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests with invalid configurations. */
final class BadUses {

    private BadUses() {}

    static class Groups {
        @Test
        @GradwireWorkers(0)
        void noWorkers() {}

        @Test
        @GradwireWorkers(value = 2, backend = "nowhere")
        void unknownBackend() {}

        @Test
        @GradwireWorkers(value = 2, settings = "gradwire.rpc-timeout")
        void settingWithoutValue() {}

        @Test
        @GradwireWorkers(value = 2, settings = "gradwire.rcp-timeout=5s")
        void unknownSetting() {}

        @Test
        @GradwireWorkers(
                value = 2,
                seed = {1, 2})
        void twoSeeds() {}

        @Test
        @GradwireWorkers(value = 2, timeoutSeconds = 0)
        void noTime() {}

        @Test
        @GradwireWorkers(value = 2, backend = "tensorpipe", simulated = true)
        void realBackendInSimulatedTime() {}
    }

    @GradwireWorkers(2)
    static class Parameters {
        @Test
        void noSuchWorker(@Worker(2) Rpc rpc) {}

        @Test
        void noWorker(@Worker(0) String text) {}
    }

    @GradwireWorkers(2)
    static class InTheConstructor {
        InTheConstructor(Workers workers) {}

        @Test
        void test() {}
    }

    @GradwireWorkers(2)
    static class BeforeAllTests {
        @BeforeAll
        static void before(Rpc rpc) {}

        @Test
        void test() {}
    }
}
