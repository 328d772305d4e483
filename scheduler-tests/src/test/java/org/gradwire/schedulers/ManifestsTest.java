package org.gradwire.schedulers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;

import org.gradwire.spi.scheduler.Assignment;
import org.gradwire.spi.scheduler.Assignment.Part;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.exc.UnrecognizedPropertyException;

import java.io.IOException;
import java.nio.file.Files;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** The manifests for Kubernetes are valid, and their pods form groups. */
class ManifestsTest {
    private static final String JOB = "indexed-job.yaml";
    private static final String JOB_SET = "jobset.yaml";
    private static final String LEADER_WORKER_SET = "leader-worker-set.yaml";
    private static final String COORDINATOR =
            "metadata.annotations['jobset.sigs.k8s.io/coordinator']";

    private static PodSpec pod(String file) throws IOException {
        Manifest manifest = Manifest.read(file);
        return switch (file) {
            case JOB -> manifest.only(Job.class).getSpec().getTemplate().getSpec();
            case JOB_SET ->
                    jobOf(manifest.only(CustomResources.JobSet.class)).getTemplate().getSpec();
            default ->
                    manifest.only(CustomResources.LeaderWorkerSet.class)
                            .spec()
                            .leaderWorkerTemplate()
                            .workerTemplate()
                            .getSpec();
        };
    }

    private static JobSpec jobOf(CustomResources.JobSet set) {
        assertEquals(1, set.spec().replicatedJobs().size());
        return set.spec().replicatedJobs().getFirst().template().getSpec();
    }

    private static Container worker(PodSpec pod) {
        assertEquals(1, pod.getContainers().size());
        return pod.getContainers().getFirst();
    }

    private static Map<String, String> environment(PodSpec pod) {
        Map<String, String> environment = new HashMap<>();
        for (EnvVar variable : worker(pod).getEnv()) {
            environment.put(
                    variable.getName(),
                    variable.getValue() != null
                            ? variable.getValue()
                            : variable.getValueFrom().getFieldRef().getFieldPath());
        }
        return environment;
    }

    private static void assertAssigned(
            PodSpec pod, Map<String, String> set, String host, int rank, int size) {
        Map<String, String> environment = environment(pod);
        environment.replaceAll((_, value) -> value.equals(COORDINATOR) ? host : value);
        environment.putAll(set);
        Assignment assignment =
                Assignment.find(environment, EnumSet.allOf(Part.class)).orElseThrow();
        assertEquals(rank, assignment.rank());
        assertEquals(OptionalInt.of(size), assignment.worldSize());
        assertEquals(Optional.of("tcp://" + host + ":29500"), assignment.rendezvous());
        int port = worker(pod).getPorts().getFirst().getContainerPort();
        assertEquals(29500, port);
    }

    @Test
    void podsOfTheJobFormAGroup() throws IOException {
        Manifest manifest = Manifest.read(JOB);
        Service service = manifest.only(Service.class);
        Job job = manifest.only(Job.class);
        String name = job.getMetadata().getName();
        assertEquals("None", service.getSpec().getClusterIP());
        assertEquals(true, service.getSpec().getPublishNotReadyAddresses());
        assertEquals(Map.of("batch.kubernetes.io/job-name", name), service.getSpec().getSelector());
        String subdomain = pod(JOB).getSubdomain();
        assertEquals(service.getMetadata().getName(), subdomain);
        assertIndexed(job.getSpec());
        assertAssigned(
                pod(JOB),
                Map.of("JOB_COMPLETION_INDEX", "3"),
                name + "-0." + subdomain,
                3,
                job.getSpec().getCompletions());
    }

    private static void assertIndexed(JobSpec job) {
        assertEquals("Indexed", job.getCompletionMode());
        assertEquals(job.getCompletions(), job.getParallelism());
        assertEquals(0, job.getBackoffLimit());
        assertEquals("Never", job.getTemplate().getSpec().getRestartPolicy());
    }

    @Test
    void podsOfTheJobSetFormAGroup() throws IOException {
        var set = Manifest.read(JOB_SET).only(CustomResources.JobSet.class);
        var spec = set.spec();
        var replicated = spec.replicatedJobs().getFirst();
        assertTrue(
                spec.network().enableDNSHostnames() && spec.network().publishNotReadyAddresses());
        assertEquals(new CustomResources.Coordinator(replicated.name(), 0, 0), spec.coordinator());
        assertEquals(1, replicated.replicas());
        assertIndexed(jobOf(set));
        assertEquals(COORDINATOR, environment(pod(JOB_SET)).get("MASTER_ADDR"));
        assertAssigned(
                pod(JOB_SET),
                Map.of("JOB_COMPLETION_INDEX", "2"),
                "gradwire-workers-0-0.gradwire",
                2,
                jobOf(set).getCompletions());
    }

    @Test
    void podsOfTheLeaderWorkerSetFormAGroup() throws IOException {
        var template =
                Manifest.read(LEADER_WORKER_SET)
                        .only(CustomResources.LeaderWorkerSet.class)
                        .spec()
                        .leaderWorkerTemplate();
        assertEquals("RecreateGroupOnPodRestart", template.restartPolicy());
        Map<String, String> set =
                Map.of(
                        "LWS_WORKER_INDEX", "1",
                        "LWS_GROUP_SIZE", Integer.toString(template.size()),
                        "LWS_LEADER_ADDRESS", "gradwire-0.gradwire.default");
        assertAssigned(
                pod(LEADER_WORKER_SET), set, "gradwire-0.gradwire.default", 1, template.size());
    }

    @ParameterizedTest
    @ValueSource(strings = {JOB, JOB_SET, LEADER_WORKER_SET})
    void podHasNoMoreRightsThanItNeeds(String file) throws IOException {
        PodSpec pod = pod(file);
        assertEquals(true, pod.getSecurityContext().getRunAsNonRoot());
        assertEquals(10001L, pod.getSecurityContext().getRunAsUser());
        assertEquals("RuntimeDefault", pod.getSecurityContext().getSeccompProfile().getType());
        assertEquals(false, pod.getAutomountServiceAccountToken());
        assertEquals(false, pod.getEnableServiceLinks());
        for (Container container :
                Stream.concat(pod.getInitContainers().stream(), pod.getContainers().stream())
                        .toList()) {
            SecurityContext rights = container.getSecurityContext();
            assertEquals(true, rights.getReadOnlyRootFilesystem(), container.getName());
            assertEquals(false, rights.getAllowPrivilegeEscalation(), container.getName());
            assertEquals(List.of("ALL"), rights.getCapabilities().getDrop(), container.getName());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {JOB, JOB_SET, LEADER_WORKER_SET})
    void foldersThatAWorkerWritesAreMounted(String file) throws IOException {
        PodSpec pod = pod(file);
        Volume shm = mounted(pod, worker(pod), "/dev/shm");
        assertEquals("Memory", shm.getEmptyDir().getMedium());
        Quantity size = shm.getEmptyDir().getSizeLimit();
        Quantity memory =
                Objects.requireNonNull(worker(pod).getResources().getLimits().get("memory"));
        assertTrue(size.getNumericalAmount().compareTo(memory.getNumericalAmount()) < 0);
        assertTrue(mounted(pod, worker(pod), "/tmp").getEmptyDir().getMedium() == null);
    }

    /** The init container copies the secret to the file that the worker's setting names. */
    @ParameterizedTest
    @ValueSource(strings = {JOB, JOB_SET, LEADER_WORKER_SET})
    void workerReadsACopyOfTheSecretToken(String file) throws IOException {
        PodSpec pod = pod(file);
        Container copier = pod.getInitContainers().getFirst();
        assertEquals(
                List.of(
                        "install",
                        "--mode=0400",
                        "/run/secrets/gradwire/token",
                        "/run/gradwire/token"),
                copier.getCommand());
        assertEquals(
                "/run/gradwire/token", environment(pod).get("GRADWIRE_AUTHENTICATION_TOKEN_FILE"));
        assertEquals("Memory", mounted(pod, copier, "/run/gradwire").getEmptyDir().getMedium());
        assertEquals(
                mounted(pod, copier, "/run/gradwire"), mounted(pod, worker(pod), "/run/gradwire"));
        Volume secret = mounted(pod, copier, "/run/secrets/gradwire");
        assertEquals("gradwire-token", secret.getSecret().getSecretName());
        String text = Files.readString(Project.root().resolve("dist/kubernetes").resolve(file));
        assertTrue(text.contains("create secret generic gradwire-token --from-file=token="), text);
    }

    private static Volume mounted(PodSpec pod, Container container, String path) {
        String name =
                container.getVolumeMounts().stream()
                        .filter(mount -> mount.getMountPath().equals(path))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError(path + " is not mounted"))
                        .getName();
        return pod.getVolumes().stream()
                .filter(volume -> volume.getName().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("there is no volume " + name));
    }

    /** A mistyped field at any depth is an error, so the files have none. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "clusterIP", "completionMode", "subdomain", "runAsNonRoot", "fieldPath", "medium",
                "sizeLimit", "enableDNSHostnames", "podIndex", "maxRestarts", "replicas", "size",
                "subdomainPolicy", "containerPort", "drop", "secretName", "enableServiceLinks"
            })
    void unknownFieldIsRefused(String field) throws IOException {
        int refused = 0;
        for (String file : List.of(JOB, JOB_SET, LEADER_WORKER_SET)) {
            String text = Files.readString(Project.root().resolve("dist/kubernetes").resolve(file));
            String mistyped =
                    text.replaceAll("(?m)^( *(?:- )?)" + field + ":", "$1" + field + "x:");
            if (!mistyped.equals(text)) {
                assertThrows(
                        UnrecognizedPropertyException.class, () -> Manifest.parse(mistyped), file);
                refused++;
            }
        }
        assertTrue(refused > 0, "no manifest has the field " + field);
    }
}
