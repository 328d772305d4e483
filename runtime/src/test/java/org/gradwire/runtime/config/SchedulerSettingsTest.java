package org.gradwire.runtime.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcOptions;
import org.junit.jupiter.api.Test;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The variables of a scheduler are the last source of rank, size and rendezvous. */
class SchedulerSettingsTest {
    private static final Map<String, String> SLURM =
            Map.of(
                    "SLURM_PROCID", "3",
                    "SLURM_NTASKS", "4",
                    "SLURM_JOB_ID", "1",
                    "SLURM_STEP_ID", "0",
                    "SLURM_STEP_NODELIST", "n[1-2]");

    private static LayeredSettings collect(RpcOptions options, Map<String, String> more) {
        Map<String, String> environment = new HashMap<>(SLURM);
        environment.putAll(more);
        return collectOnly(options, environment);
    }

    private static LayeredSettings collectOnly(
            RpcOptions options, Map<String, String> environment) {
        return LayeredSettings.collect(
                options,
                RuntimeSettings.ALL,
                Map.of(),
                environment,
                ClassLoader.getPlatformClassLoader());
    }

    private static String refusal(RpcOptions options, Map<String, String> environment) {
        return String.valueOf(
                assertThrows(
                                RpcConfigurationException.class,
                                () -> collectOnly(options, environment))
                        .getMessage());
    }

    private static void assertPlace(
            LayeredSettings settings, String rank, String size, String rendezvous) {
        assertEquals(rank, settings.text("gradwire.rank"));
        assertEquals(size, settings.text("gradwire.world-size"));
        assertEquals(rendezvous, settings.text("gradwire.rendezvous"));
    }

    @Test
    void schedulerSetsRankSizeAndRendezvous() {
        LayeredSettings settings = collect(RpcOptions.fromEnvironment(), Map.of());
        assertPlace(settings, "3", "4", "tcp://n1:20017");
        for (String key :
                new String[] {"gradwire.rank", "gradwire.world-size", "gradwire.rendezvous"}) {
            assertEquals("the variables of Slurm", settings.origin(key));
        }
        assertEquals(Optional.empty(), settings.find("gradwire.name"));
    }

    @Test
    void rankFromAnotherSourceExcludesTheScheduler() {
        RpcOptions options = RpcOptions.builder().rank(1).worldSize(2).build();
        assertPlace(collect(options, Map.of()), "1", "2", "env://");
        Map<String, String> launched =
                Map.of(
                        "GRADWIRE_RANK", "0",
                        "GRADWIRE_WORLD_SIZE", "2",
                        "GRADWIRE_RENDEZVOUS", "file:///run/store");
        assertPlace(collect(RpcOptions.fromEnvironment(), launched), "0", "2", "file:///run/store");
    }

    @Test
    void incompleteVariablesDoNotMatterThen() {
        RpcOptions options = RpcOptions.builder().rank(1).worldSize(2).build();
        assertPlace(collectOnly(options, Map.of("SLURM_PROCID", "7")), "1", "2", "env://");
    }

    @Test
    void rendezvousFromAnotherSourceIsKept() {
        Map<String, String> variable = Map.of("GRADWIRE_RENDEZVOUS", "tcp://a:1");
        assertPlace(collect(RpcOptions.fromEnvironment(), variable), "3", "4", "tcp://a:1");
        Map<String, String> alone =
                Map.of(
                        "PMIX_RANK", "1",
                        "GRADWIRE_WORLD_SIZE", "2",
                        "GRADWIRE_RENDEZVOUS", "tcp://a:1");
        assertPlace(collectOnly(RpcOptions.fromEnvironment(), alone), "1", "2", "tcp://a:1");
    }

    @Test
    void otherNumberOfWorkersIsRefused() {
        Map<String, String> environment = new HashMap<>(SLURM);
        environment.put("GRADWIRE_WORLD_SIZE", "8");
        assertEquals(
                "gradwire.world-size=8 (from environment variables), but Slurm assigned a rank among 4 workers; unset it, or set gradwire.rank too",
                refusal(RpcOptions.fromEnvironment(), environment));
        environment.put("GRADWIRE_WORLD_SIZE", "4");
        assertPlace(
                collectOnly(RpcOptions.fromEnvironment(), environment), "3", "4", "tcp://n1:20017");
    }

    @Test
    void dynamicGroupNeedsNoNumberOfWorkers() {
        RpcOptions options = RpcOptions.builder().dynamicGroup().rendezvous("tcp://a:1").build();
        LayeredSettings settings = collectOnly(options, Map.of("JOB_COMPLETION_INDEX", "5"));
        assertEquals("5", settings.text("gradwire.rank"));
        assertEquals(Optional.empty(), settings.find("gradwire.world-size"));
    }

    @Test
    void incompleteVariablesAreRefusedWithThoseThatAreSet() {
        String text =
                refusal(
                        RpcOptions.fromEnvironment(),
                        Map.of(
                                "JOB_COMPLETION_INDEX", "5",
                                "GRADWIRE_WORLD_SIZE", "8",
                                "GRADWIRE_AUTHENTICATION_TOKEN", "a token of 28 characters, ok"));
        assertTrue(
                text.contains("Kubernetes Job set JOB_COMPLETION_INDEX=5, but not MASTER_ADDR"),
                text);
        assertTrue(
                text.endsWith("Already set: gradwire.world-size (from environment variables)"),
                text);
        assertTrue(!text.contains("28 characters"), text);
    }

    @Test
    void withoutASchedulerTheRankIsAsked() {
        LayeredSettings settings = collectOnly(RpcOptions.fromEnvironment(), Map.of("A", "b"));
        var failure =
                assertThrows(RpcConfigurationException.class, () -> settings.text("gradwire.rank"));
        assertTrue(String.valueOf(failure.getMessage()).startsWith("gradwire.rank is not set"));
    }
}
