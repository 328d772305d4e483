package org.gradwire.schedulers;

import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.batch.v1.Job;

import org.gradwire.schedulers.Manifest.Resource;

import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.dataformat.yaml.YAMLMapper;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A file of manifests for Kubernetes, parsed strictly: an unknown field is an error. */
record Manifest(List<Resource> resources) {
    private static final YAMLMapper MAPPER =
            YAMLMapper.builder()
                    .annotationIntrospector(new KnownFieldsOnly())
                    .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
                    .build();

    /** The models' maps for unknown fields are not used. */
    private static final class KnownFieldsOnly extends JacksonAnnotationIntrospector {
        private static final long serialVersionUID = 1;

        @Override
        public Boolean hasAnySetter(MapperConfig<?> config, Annotated annotated) {
            return false;
        }
    }

    /**
     * A resource.
     *
     * @param model of Kubernetes, or one of {@link CustomResources}
     */
    record Resource(String kind, Object model) {}

    private static final Map<String, Class<?>> KINDS =
            Map.of(
                    "v1 Service", Service.class,
                    "batch/v1 Job", Job.class,
                    "jobset.x-k8s.io/v1alpha2 JobSet", CustomResources.JobSet.class,
                    "leaderworkerset.x-k8s.io/v1 LeaderWorkerSet",
                            CustomResources.LeaderWorkerSet.class);

    /** Read a file of {@code dist/kubernetes}. */
    static Manifest read(String name) throws IOException {
        return parse(Files.readString(Project.root().resolve("dist/kubernetes").resolve(name)));
    }

    static Manifest parse(String yaml) {
        return new Manifest(Stream.of(yaml.split("(?m)^---$")).map(Manifest::resource).toList());
    }

    private static Resource resource(String yaml) {
        JsonNode tree = MAPPER.readTree(yaml);
        String kind = tree.path("kind").stringValue("");
        Class<?> model = KINDS.get(tree.path("apiVersion").stringValue("") + " " + kind);
        if (model == null) {
            throw new AssertionError("unknown kind of resource: " + yaml);
        }
        return new Resource(kind, MAPPER.readValue(yaml, model));
    }

    /** {@return the only resource of a model} */
    <T> T only(Class<T> model) {
        List<T> found =
                resources.stream()
                        .map(Resource::model)
                        .filter(model::isInstance)
                        .map(model::cast)
                        .toList();
        if (found.size() != 1) {
            throw new AssertionError(found.size() + " resources of " + model);
        }
        return found.getFirst();
    }
}
