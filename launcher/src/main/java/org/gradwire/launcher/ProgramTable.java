package org.gradwire.launcher;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The programs with a short name. Each jar of the distribution and of the user's module path may
 * name some, in the resource {@value #RESOURCE}:
 *
 * <pre>
 * train=org.gradwire.examples/org.gradwire.examples.train.Train
 * train.description=Train a language model across processes
 * train.workers=4
 * train.prefix=false
 * </pre>
 *
 * <p>Only the first line of each program is required.
 */
final class ProgramTable {
    static final String RESOURCE = "META-INF/gradwire/programs.properties";

    private static final Set<String> ATTRIBUTES = Set.of("description", "workers", "prefix");
    private static final int MOST_EDITS = 2;
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]*");

    private final Map<String, Program> programs = new TreeMap<>();
    private final Map<String, Path> origins = new TreeMap<>();

    /** Collect the programs of a distribution and of further module path entries. */
    static ProgramTable collect(Distribution distribution, List<Path> userPath) {
        var table = new ProgramTable();
        List<Path> common = List.of(distribution.lib());
        table.addEntry(distribution.lib(), common);
        for (Path extra : distribution.extraLibs()) {
            table.addEntry(extra, List.of(distribution.lib(), extra));
        }
        userPath.forEach(entry -> table.addEntry(entry, common));
        return table;
    }

    Optional<Program> find(String name) {
        return Optional.ofNullable(programs.get(name));
    }

    /** {@return a question in parentheses that names the most similar program; empty if none is} */
    String suggestion(String name) {
        return programs.keySet().stream()
                .filter(known -> EditDistance.between(name, known) <= MOST_EDITS)
                .min(Comparator.comparingInt(known -> EditDistance.between(name, known)))
                .map(known -> " (did you mean '" + known + "'?)")
                .orElse("");
    }

    /** {@return a line for each program, with its description, or a line for none} */
    String listing() {
        if (programs.isEmpty()) {
            return "  (none in this distribution)";
        }
        int width = programs.keySet().stream().mapToInt(String::length).max().orElse(0);
        return programs.entrySet().stream()
                .map(entry ->
                        ("  %-" + width + "s  %s")
                                .formatted(entry.getKey(), entry.getValue().description())
                                .stripTrailing())
                .collect(Collectors.joining(System.lineSeparator()));
    }

    /** Read a module path entry: a jar, an exploded module, or a folder of either. */
    private void addEntry(Path entry, List<Path> modulePath) {
        addModule(entry, modulePath);
        if (!Files.isDirectory(entry)) {
            return;
        }
        try (Stream<Path> modules = Files.list(entry)) {
            modules.sorted().forEach(module -> addModule(module, modulePath));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list " + entry, e);
        }
    }

    private void addModule(Path module, List<Path> modulePath) {
        try {
            if (Files.isDirectory(module)) {
                Path table = module.resolve(RESOURCE);
                if (Files.exists(table)) {
                    try (InputStream stream = Files.newInputStream(table)) {
                        addTable(stream, module, modulePath);
                    }
                }
            } else if (module.toString().endsWith(".jar")) {
                addJar(module, modulePath);
            }
        } catch (IOException e) {
            throw new LauncherException("cannot read " + module + ": " + e.getMessage());
        }
    }

    private void addJar(Path jar, List<Path> modulePath) throws IOException {
        try (var zip = new ZipFile(jar.toFile())) {
            ZipEntry table = zip.getEntry(RESOURCE);
            if (table != null) {
                try (InputStream stream = zip.getInputStream(table)) {
                    addTable(stream, jar, modulePath);
                }
            }
        }
    }

    private void addTable(InputStream stream, Path origin, List<Path> modulePath)
            throws IOException {
        var table = new Properties();
        table.load(new InputStreamReader(stream, StandardCharsets.UTF_8));
        for (String key : table.stringPropertyNames()) {
            int dot = key.indexOf('.');
            if (dot < 0) {
                add(key, program(table, key, origin, modulePath), origin);
            } else if (!ATTRIBUTES.contains(key.substring(dot + 1))
                    || !table.containsKey(key.substring(0, dot))) {
                throw wrong(origin, key, "a program's name, or one of " + ATTRIBUTES + " after it");
            }
        }
    }

    private void add(String name, Program program, Path origin) {
        Path other = origins.put(name, origin);
        if (other != null) {
            throw new LauncherException(
                    "program '%s' is named by both %s and %s".formatted(name, other, origin));
        }
        programs.put(name, program);
    }

    private static Program program(
            Properties table, String name, Path origin, List<Path> modulePath) {
        if (!NAME.matcher(name).matches()) {
            throw wrong(origin, name, "a name of lower-case letters, digits and '-'");
        }
        String target = table.getProperty(name).strip();
        return new Program(
                ExecutionTarget.parse(target)
                        .orElseThrow(() -> wrong(origin, name + "=" + target, "module/main.Class")),
                table.getProperty(name + ".description", "").strip(),
                Optional.ofNullable(table.getProperty(name + ".workers"))
                        .map(text -> workers(text.strip(), name, origin)),
                !table.getProperty(name + ".prefix", "true").strip().equals("false"),
                modulePath);
    }

    private static int workers(String text, String name, Path origin) {
        try {
            int workers = Integer.parseInt(text);
            if (workers > 0) {
                return workers;
            }
        } catch (NumberFormatException _) {
            // reported below, like numbers below 1
        }
        throw wrong(origin, name + ".workers=" + text, "a number from 1");
    }

    private static LauncherException wrong(Path origin, String found, String expected) {
        return new LauncherException(
                "%s in %s: found '%s', expected %s".formatted(RESOURCE, origin, found, expected));
    }
}
