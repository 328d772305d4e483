package org.gradwire.runtime.classes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.ScriptFunction;
import org.gradwire.rpc.WireValue;
import org.gradwire.rpc.WorkerInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.classfile.Annotation;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** Marked classes of the program are found by name; other names leave no trace. */
class MarkedClassesTest {
    private static final ClassLoader PARENT = MarkedClassesTest.class.getClassLoader();

    @TempDir Path folder;

    /** A loader that records the names it is asked for. */
    private static final class CountingLoader extends URLClassLoader {
        private final List<String> asked = new ArrayList<>();

        CountingLoader(Path... entries) throws IOException {
            this(urls(entries));
        }

        CountingLoader(URL... entries) {
            super(entries, PARENT);
        }

        private static URL[] urls(Path... entries) throws IOException {
            var urls = new URL[entries.length];
            for (int i = 0; i < urls.length; i++) {
                urls[i] = entries[i].toUri().toURL();
            }
            return urls;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            asked.add(name);
            return super.loadClass(name, resolve);
        }

        @Override
        public URL getResource(String name) {
            asked.add(name);
            return super.getResource(name);
        }
    }

    private static byte[] classFile(String name, String parent, Consumer<ClassBuilder> content) {
        return ClassFile.of()
                .build(
                        ClassDesc.of(name),
                        builder -> {
                            builder.withFlags(ClassFile.ACC_PUBLIC | ClassFile.ACC_ABSTRACT)
                                    .withSuperclass(ClassDesc.of(parent));
                            content.accept(builder);
                        });
    }

    private static RuntimeVisibleAnnotationsAttribute mark(Class<?> type) {
        return RuntimeVisibleAnnotationsAttribute.of(
                Annotation.of(type.describeConstable().orElseThrow()));
    }

    private static void markedMethod(ClassBuilder type, Class<?> mark) {
        type.withMethod(
                "run",
                MethodTypeDesc.of(ConstantDescs.CD_void),
                ClassFile.ACC_PUBLIC | ClassFile.ACC_ABSTRACT,
                method -> method.with(mark(mark)));
    }

    private static final Map<String, byte[]> CLASSES =
            Map.of(
                    "jobs.Value",
                    classFile("jobs.Value", "java.lang.Object", c -> c.with(mark(WireValue.class))),
                    "jobs.Callable",
                    classFile(
                            "jobs.Callable",
                            "java.lang.Object",
                            c -> c.with(mark(RemoteCallable.class))),
                    "jobs.Jobs$Inner",
                    classFile(
                            "jobs.Jobs$Inner",
                            "java.lang.Object",
                            c -> markedMethod(c, RemoteCallable.class)),
                    "jobs.Script",
                    classFile(
                            "jobs.Script",
                            "java.lang.Object",
                            c -> markedMethod(c, ScriptFunction.class)),
                    "jobs.Heir",
                    classFile("jobs.Heir", "jobs.Callable", _ -> {}),
                    "jobs.Plain",
                    classFile("jobs.Plain", "java.lang.Object", _ -> {}),
                    "jobs.Deprecated",
                    classFile(
                            "jobs.Deprecated",
                            "java.lang.Object",
                            c -> c.with(mark(Deprecated.class))),
                    "NoPackage",
                    classFile("NoPackage", "java.lang.Object", c -> c.with(mark(WireValue.class))));

    private static Path writeFolder(Path folder) throws IOException {
        for (Map.Entry<String, byte[]> type : CLASSES.entrySet()) {
            Path file = folder.resolve(type.getKey().replace('.', '/') + ".class");
            Files.createDirectories(file.getParent());
            Files.write(file, type.getValue());
        }
        return folder;
    }

    private static void writeJar(Path file, Manifest manifest, Map<String, byte[]> classes)
            throws IOException {
        try (OutputStream out = Files.newOutputStream(file);
                var jar = new JarOutputStream(out, manifest)) {
            for (Map.Entry<String, byte[]> type : classes.entrySet()) {
                jar.putNextEntry(new JarEntry(type.getKey().replace('.', '/') + ".class"));
                jar.write(type.getValue());
            }
        }
    }

    private static Manifest manifest(String classPath) {
        var manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath);
        return manifest;
    }

    private static void assertFindsMarkedClasses(CountingLoader loader) {
        var classes = new MarkedClasses(loader);
        for (String name :
                List.of(
                        "jobs.Value",
                        "jobs.Callable",
                        "jobs.Jobs$Inner",
                        "jobs.Script",
                        "jobs.Heir",
                        "NoPackage")) {
            Class<?> found = classes.find(name);
            assertNotNull(found, name);
            assertEquals(name, found.getName());
            assertSame(loader, found.getClassLoader());
            assertSame(found, classes.find(name));
        }
        loader.asked.clear();
        for (String name : List.of("jobs.Plain", "jobs.Deprecated")) {
            assertNull(classes.find(name));
        }
        assertEquals(
                List.of(),
                loader.asked.stream().filter(name -> !name.endsWith(".class")).toList(),
                "loads only marked classes");
    }

    @Test
    void findsMarkedClassesInFoldersOfTheClassPath() throws Exception {
        try (var loader = new CountingLoader(writeFolder(folder))) {
            assertFindsMarkedClasses(loader);
        }
    }

    @Test
    void findsMarkedClassesInJarsThatAManifestNames() throws Exception {
        Path first = folder.resolve("first.jar");
        writeJar(first, manifest("lib/second.jar missing.jar"), Map.of());
        Files.createDirectories(folder.resolve("lib"));
        writeJar(folder.resolve("lib/second.jar"), manifest("../first.jar"), CLASSES);
        try (var loader = new CountingLoader(first)) {
            assertFindsMarkedClasses(loader);
        }
    }

    /** Single-file programs refer to their nested jars by such URLs. */
    @Test
    void findsMarkedClassesInJarsThatOnlyTheirUrlOpens() throws Exception {
        Path file = folder.resolve("one.jar");
        writeJar(file, manifest(""), CLASSES);
        URL missing = URI.create("jar:" + folder.resolve("missing.jar").toUri() + "!/").toURL();
        URL present = URI.create("jar:" + file.toUri() + "!/").toURL();
        try (var loader = new CountingLoader(missing, present)) {
            assertFindsMarkedClasses(loader);
        }
    }

    @Test
    void ignoresEntriesThatCannotBeRead() throws Exception {
        Path damaged = Files.writeString(folder.resolve("damaged.jar"), "no jar");
        Path classes = writeFolder(folder.resolve("classes"));
        Files.writeString(classes.resolve("jobs/Broken.class"), "no class file");
        try (var loader = new CountingLoader(damaged, folder.resolve("missing"), classes)) {
            assertFindsMarkedClasses(loader);
            assertNull(new MarkedClasses(loader).find("jobs.Broken"));
        }
    }

    @Test
    void findsNothingUnmarkedInModules() {
        var classes = new MarkedClasses(PARENT);
        assertNull(classes.find(WorkerInfo.class.getName()));
        assertNull(classes.find(MarkedClasses.class.getName())); // not exported
        assertNull(classes.find("java.lang.Runtime"));
        assertNull(classes.find("org.gradwire.rpc.Missing"));
    }

    @Test
    void unknownNamesReachNoClassLoader() throws Exception {
        long seed = new Random().nextLong();
        var random = new Random(seed);
        try (var loader = new CountingLoader(writeFolder(folder))) {
            var classes = new MarkedClasses(loader);
            assertNull(classes.find("unknown.First"));
            loader.asked.clear();
            for (int i = 0; i < 10_000; i++) {
                String name = unknownName(random);
                assertNull(classes.find(name), () -> "seed " + seed + ", name " + name);
            }
            assertEquals(List.of(), loader.asked, () -> "seed " + seed);
        }
    }

    private static String unknownName(Random random) {
        String known =
                List.of("jobs.Value", "jobs.Callable", "java.lang.String", "jobs")
                        .get(random.nextInt(4));
        int number = random.nextInt();
        return switch (random.nextInt(8)) {
            case 0 -> "[".repeat(1 + random.nextInt(255)) + "L" + known + ";";
            case 1 -> "[".repeat(1 + random.nextInt(255)) + "I";
            case 2 -> known + number;
            case 3 -> known.replace('.', '/');
            case 4 -> known + "\0".repeat(1 + random.nextInt(MarkedClasses.MAX_NAME_LENGTH * 8));
            case 5 -> "jobs/../" + known;
            case 6 -> "p" + number + ".T";
            default -> known + ".class";
        };
    }

    @Test
    void refusesNamesAboveTheLimitEvenOfClassesThatExist() throws Exception {
        String atLimit = "jobs." + "x".repeat(MarkedClasses.MAX_NAME_LENGTH - 5);
        Path file = folder.resolve("long.jar"); // no file system permits names of this length
        byte[] content = classFile(atLimit, "java.lang.Object", c -> c.with(mark(WireValue.class)));
        byte[] longer =
                classFile(atLimit + "x", "java.lang.Object", c -> c.with(mark(WireValue.class)));
        writeJar(file, manifest(""), Map.of(atLimit, content, atLimit + "x", longer));
        try (var loader = new CountingLoader(file)) {
            var classes = new MarkedClasses(loader);
            assertNotNull(classes.find(atLimit));
            assertNull(classes.find(atLimit + "x"));
        }
    }
}
