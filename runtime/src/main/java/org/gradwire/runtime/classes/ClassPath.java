package org.gradwire.runtime.classes;

import org.jspecify.annotations.Nullable;

import java.io.File;
import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLConnection;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/** The folders and jars that a class loader and its parents search. */
final class ClassPath {
    private static final System.Logger LOGGER = System.getLogger(ClassPath.class.getName());

    private final Set<Path> entries = new LinkedHashSet<>();
    private final Set<URI> nested = new LinkedHashSet<>(); // jars that only their URL can open

    private ClassPath() {}

    static ClassPath of(ClassLoader loader) {
        var path = new ClassPath();
        for (ClassLoader next = loader; next != null; next = next.getParent()) {
            if (next instanceof URLClassLoader urls) {
                for (URL url : urls.getURLs()) {
                    path.add(url);
                }
            } else if (next.equals(ClassLoader.getSystemClassLoader())) {
                path.addSystem(System.getProperty("java.class.path", ""));
            }
        }
        return path;
    }

    /**
     * Add the system class path; an empty one belongs to a program in a named module, and does not
     * mean the current folder.
     */
    private void addSystem(String text) {
        if (!text.isEmpty()) {
            for (String entry : text.split(File.pathSeparator, -1)) {
                entries.add(Path.of(entry).toAbsolutePath().normalize());
            }
        }
    }

    private void add(URL url) {
        try {
            add(url.toURI());
        } catch (URISyntaxException e) {
            skip(url.toString(), e);
        }
    }

    private void add(URI uri) {
        if ("jar".equals(uri.getScheme())) {
            nested.add(uri);
            return;
        }
        try {
            entries.add(Path.of(uri).toAbsolutePath().normalize());
        } catch (IllegalArgumentException | FileSystemNotFoundException e) {
            skip(uri.toString(), e);
        }
    }

    private static void skip(String entry, Exception reason) {
        LOGGER.log(
                System.Logger.Level.WARNING,
                "cannot list %s of the class path, so peers cannot name its classes: %s"
                        .formatted(entry, reason));
    }

    /** Call an action with the name of each class, once for each entry that contains it. */
    void forEachClass(Consumer<String> classes) {
        Set<Path> done = new LinkedHashSet<>();
        while (done.size() < entries.size()) { // manifests add entries
            for (Path entry : Set.copyOf(entries)) {
                if (done.add(entry)) {
                    list(entry, classes);
                }
            }
        }
        nested.forEach(uri -> listNested(uri, classes));
    }

    /** List a jar within a jar, as in single-file programs. */
    private static void listNested(URI uri, Consumer<String> classes) {
        try {
            URLConnection connection = uri.toURL().openConnection();
            connection.setUseCaches(false);
            if (connection instanceof JarURLConnection opened) {
                try (JarFile jar = opened.getJarFile()) {
                    listClasses(jar, classes);
                }
            }
        } catch (IOException | RuntimeException e) {
            skip(uri.toString(), e);
        }
    }

    private static void listClasses(JarFile jar, Consumer<String> classes) {
        jar.versionedStream()
                .flatMap(entry -> ClassNames.ofFile(entry.getName()).stream())
                .forEach(classes);
    }

    private void list(Path entry, Consumer<String> classes) {
        try {
            if (Files.isDirectory(entry)) {
                listFolder(entry, classes);
            } else if (Files.isRegularFile(entry)) {
                listJar(entry, classes);
            }
        } catch (IOException | RuntimeException e) {
            skip(entry.toString(), e);
        }
    }

    private static void listFolder(Path folder, Consumer<String> classes) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.map(file -> folder.relativize(file).toString().replace(File.separatorChar, '/'))
                    .flatMap(path -> ClassNames.ofFile(path).stream())
                    .forEach(classes);
        }
    }

    private void listJar(Path file, Consumer<String> classes) throws IOException {
        try (var jar =
                new JarFile(file.toFile(), false, ZipFile.OPEN_READ, JarFile.runtimeVersion())) {
            listClasses(jar, classes);
            addManifest(file, jar.getManifest());
        }
    }

    private void addManifest(Path file, @Nullable Manifest manifest) {
        if (manifest == null) {
            return;
        }
        String others = manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
        if (others != null) {
            Stream.of(others.trim().split("\\s+"))
                    .filter(other -> !other.isEmpty())
                    .forEach(other -> add(file.toUri().resolve(other)));
        }
    }
}
