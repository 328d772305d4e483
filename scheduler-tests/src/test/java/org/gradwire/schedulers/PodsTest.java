package org.gradwire.schedulers;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;

/**
 * Workers with the variables of Kubernetes, in network namespaces as pods have them. The name of
 * pod 0 is known when the other pod has already asked for it.
 */
class PodsTest {
    private static final String STORE_CLIENT = "org.gradwire.runtime.store.StoreClient ";

    @TempDir Path folder;

    @BeforeEach
    void requireNamespaces() throws IOException {
        Project.require(true, "ip");
    }

    private Map<String, String> environment(int pod, Map<String, String> more) throws IOException {
        Path token = folder.resolve("token");
        if (!Files.exists(token)) {
            Files.writeString(token, "a token of 28 characters, ok");
            Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
        }
        Map<String, String> environment = new HashMap<>(more);
        environment.put("GRADWIRE_AUTHENTICATION_TOKEN_FILE", token.toString());
        // A driver for each pod, so that they communicate over the network.
        environment.put("GRADWIRE_TENSORPIPE_DIRECTORY", folder.resolve("driver" + pod).toString());
        return environment;
    }

    private void assertMeet(String name, Map<String, String> first, Map<String, String> second)
            throws Exception {
        try (Pods pods = Pods.create(2)) {
            Path loaded = folder.resolve("loaded.txt");
            String log = "-Xlog:class+load:file=" + loaded;
            try (Run late = pods.run(folder, 1, environment(1, second), Project.hello(log))) {
                Run.await("attempt to connect", () -> !late.isAlive() || contains(loaded));
                try (Run early = pods.run(folder, 0, environment(0, first), Project.hello())) {
                    pods.publish(0, name);
                    String output = early.succeed();
                    assertTrue(output.contains(Project.GREETING), output);
                    late.succeed();
                }
            }
        }
    }

    private static boolean contains(Path file) {
        try {
            return Files.exists(file) && Files.readString(file).contains(STORE_CLIENT);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void podsOfAnIndexedJobMeet() throws Exception {
        String name = "train-0.train";
        assertMeet(
                name,
                Map.of("JOB_COMPLETION_INDEX", "0", "WORLD_SIZE", "2", "MASTER_ADDR", name),
                Map.of("JOB_COMPLETION_INDEX", "1", "WORLD_SIZE", "2", "MASTER_ADDR", name));
    }

    @Test
    void podsOfALeaderWorkerSetMeet() throws Exception {
        String name = "serve-0.serve.default";
        assertMeet(
                name,
                Map.of("LWS_WORKER_INDEX", "0", "LWS_GROUP_SIZE", "2", "LWS_LEADER_ADDRESS", name),
                Map.of("LWS_WORKER_INDEX", "1", "LWS_GROUP_SIZE", "2", "LWS_LEADER_ADDRESS", name));
    }
}
