package org.gradwire.schedulers;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.batch.v1.JobTemplateSpec;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * The fields of custom resources, as their API references list them: <a
 * href="https://jobset.sigs.k8s.io/docs/reference/jobset.v1alpha2/">JobSet</a> and <a
 * href="https://lws.sigs.k8s.io/docs/reference/leaderworkerset.v1/">LeaderWorkerSet</a>. Fields
 * that no manifest here uses are left out.
 */
final class CustomResources {
    private CustomResources() {}

    record JobSet(String apiVersion, String kind, ObjectMeta metadata, JobSetSpec spec) {}

    record JobSetSpec(
            Network network,
            Coordinator coordinator,
            FailurePolicy failurePolicy,
            List<ReplicatedJob> replicatedJobs) {}

    record Network(
            boolean enableDNSHostnames,
            boolean publishNotReadyAddresses,
            @Nullable String subdomain) {}

    record Coordinator(String replicatedJob, int jobIndex, int podIndex) {}

    record FailurePolicy(int maxRestarts) {}

    record ReplicatedJob(String name, int replicas, JobTemplateSpec template) {}

    record LeaderWorkerSet(
            String apiVersion, String kind, ObjectMeta metadata, LeaderWorkerSetSpec spec) {}

    record LeaderWorkerSetSpec(
            int replicas,
            String startupPolicy,
            NetworkConfig networkConfig,
            LeaderWorkerTemplate leaderWorkerTemplate) {}

    record NetworkConfig(String subdomainPolicy) {}

    record LeaderWorkerTemplate(int size, String restartPolicy, PodTemplateSpec workerTemplate) {}
}
