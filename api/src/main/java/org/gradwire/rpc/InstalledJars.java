package org.gradwire.rpc;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;

/**
 * The jars of Gradwire on the program's paths. Each contains Maven's properties with its version; a
 * merged jar contains those of all its parts.
 */
final class InstalledJars {
    /** The published artifacts, as in the BOM. */
    static final List<String> NAMES =
            List.of(
                    "gradwire-api",
                    "gradwire-spi",
                    "gradwire-processor",
                    "gradwire-device-virtual",
                    "gradwire-device-cuda",
                    "gradwire-autograd",
                    "gradwire-nn-remote",
                    "gradwire-collective",
                    "gradwire-nn-parallel",
                    "gradwire-checkpoint",
                    "gradwire-checkpoint-s3",
                    "gradwire-runtime",
                    "gradwire-backend-faulty",
                    "gradwire-backend-netty",
                    "gradwire-backend-tensorpipe",
                    "gradwire-store-etcd",
                    "gradwire-conformance",
                    "gradwire-opentelemetry",
                    "gradwire-junit",
                    "gradwire-spring-boot-starter",
                    "gradwire-spark");

    /** A jar: its artifact, version and location. */
    private record Jar(String name, String version, String place) {
        @Override
        public String toString() {
            return "%s %s (%s)".formatted(name, version, place);
        }
    }

    private InstalledJars() {}

    /** {@return the conflict between the jars that a loader finds; null if their versions agree} */
    static @Nullable String conflict(ClassLoader loader) {
        List<Jar> jars = NAMES.stream().flatMap(name -> find(loader, name).stream()).toList();
        if (jars.stream().map(Jar::version).distinct().count() <= 1) {
            return null;
        }
        return jars.stream()
                .map(Jar::toString)
                .collect(
                        Collectors.joining(
                                ", ",
                                "jars of different versions of Gradwire are installed: ",
                                "; keep those of one version: in Maven and Gradle, import gradwire-bom"));
    }

    private static List<Jar> find(ClassLoader loader, String name) {
        String file = "META-INF/maven/org.gradwire/" + name + "/pom.properties";
        List<Jar> jars = new ArrayList<>();
        try {
            for (URL url : loader.resources(file).toList()) {
                String jar = url.toString().replace("!/" + file, "").replaceFirst("^jar:", "");
                jars.add(new Jar(name, version(url), place(jar)));
            }
            return jars;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    private static String place(String jar) {
        return jar.startsWith("file:") ? Path.of(URI.create(jar)).toString() : jar;
    }

    private static String version(URL url) throws IOException {
        URLConnection connection = url.openConnection();
        connection.setUseCaches(false); // a cached connection keeps the jar open
        var properties = new Properties();
        try (InputStream in = connection.getInputStream()) {
            properties.load(in);
        }
        return properties.getProperty("version", "of an unknown version");
    }
}
