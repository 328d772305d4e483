package org.gradwire.spark;

import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.SparkFiles;
import org.gradwire.spark.SparkGroupException.Reason;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The distribution and the JDK of a worker, on the host of its executor.
 *
 * @param distribution folder with {@code launcher} and {@code lib}
 * @param jdk of the worker
 */
record ExecutorHost(Path distribution, Path jdk) {
    static final String HOME = "GRADWIRE_HOME";
    static final String JAVA_HOME = "GRADWIRE_JAVA_HOME";
    private static final int LEAST_JAVA = 25;
    private static final Pattern VERSION = Pattern.compile("(?m)^JAVA_VERSION=\"(\\d+)");

    /**
     * Find what is needed.
     *
     * @throws SparkGroupException if it is not there
     */
    static ExecutorHost of(GroupPlan plan) {
        SparkConf conf = SparkEnv.get().conf();
        return new ExecutorHost(distribution(plan, conf), jdk(conf));
    }

    private static Path distribution(GroupPlan plan, SparkConf conf) {
        String home =
                Optional.ofNullable(plan.home())
                        .or(() -> variable(conf, HOME))
                        .orElseThrow(() ->
                                new SparkGroupException(
                                        Reason.NO_DISTRIBUTION,
                                        "no distribution of Gradwire is named: set spark.executorEnv.%s to its folder, or call home"
                                                .formatted(HOME)));
        return distribution(resolve(home));
    }

    /**
     * {@return the distribution in a folder, which may also be a checkout in which it was built}
     */
    static Path distribution(Path home) {
        for (Path folder : List.of(home, home.resolve("dist/target/dist"))) {
            if (Files.isDirectory(folder.resolve("launcher"))
                    && Files.isDirectory(folder.resolve("lib"))) {
                return folder;
            }
        }
        throw new SparkGroupException(
                Reason.NO_DISTRIBUTION,
                "%s has no distribution of Gradwire, with folders launcher and lib: copy it to every executor's host, or ship it with spark.archives"
                        .formatted(home));
    }

    private static Path jdk(SparkConf conf) {
        Optional<String> named = variable(conf, JAVA_HOME);
        Path folder =
                named.map(ExecutorHost::resolve).orElse(Path.of(System.getProperty("java.home")));
        int version = javaVersion(folder);
        if (version < LEAST_JAVA) {
            throw new SparkGroupException(
                    Reason.NO_JDK,
                    "workers need JDK %d or newer, but %s is %s: set spark.executorEnv.%s to the folder of one"
                            .formatted(
                                    LEAST_JAVA,
                                    folder,
                                    version == 0 ? "no JDK" : "JDK " + version,
                                    JAVA_HOME));
        }
        return folder;
    }

    /** {@return the feature version of a JDK, of its file {@code release}; 0 if there is none} */
    static int javaVersion(Path jdk) {
        try {
            Matcher matcher = VERSION.matcher(Files.readString(jdk.resolve("release")));
            return Files.isExecutable(jdk.resolve("bin/java")) && matcher.find()
                    ? Integer.parseInt(matcher.group(1))
                    : 0;
        } catch (IOException e) {
            return 0;
        }
    }

    // With a local master the executor is the driver, whose environment Spark does not change.
    private static Optional<String> variable(SparkConf conf, String name) {
        String key = "spark.executorEnv." + name;
        return conf.contains(key)
                ? Optional.of(conf.get(key))
                : Optional.ofNullable(System.getenv(name));
    }

    private static Path resolve(String path) {
        return Path.of(SparkFiles.getRootDirectory()).resolve(path);
    }

    /** Start the launcher of a worker, which waits for its rendezvous. */
    LauncherProcess start(GroupPlan plan, int rank, String address, Map<String, String> files)
            throws IOException {
        var builder = new ProcessBuilder(command(plan, rank, address));
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(ExecutorHost::isOfExecutorOnly);
        environment.putAll(files);
        return LauncherProcess.start(builder, rank, plan.grace());
    }

    // Secrets and the class path are not for workers.
    private static boolean isOfExecutorOnly(String name) {
        return name.equals("GRADWIRE_AUTHENTICATION_TOKEN")
                || name.equals("CLASSPATH")
                || name.startsWith("_SPARK_");
    }

    private List<String> command(GroupPlan plan, int rank, String address) {
        List<String> command = new ArrayList<>();
        command.add(jdk.resolve("bin/java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx64m"));
        command.addAll(List.of("-p", distribution.resolve("launcher").toString()));
        command.addAll(List.of("-m", "org.gradwire.launcher/org.gradwire.launcher.Main", "run"));
        command.addAll(List.of("--part-of", address));
        command.addAll(List.of("--workers", "1", "--rank-offset", "" + rank));
        command.addAll(List.of("--world-size", "" + plan.workers()));
        command.add("--grace=" + plan.grace().toMillis() + "ms");
        plan.modulePath().forEach(path -> command.add("--module-path=" + resolve(path)));
        plan.jvmArgs().forEach(argument -> command.add("--jvm-arg=" + argument));
        plan.environment().forEach((name, value) -> command.add("--env=" + name + "=" + value));
        command.add("--");
        command.add(plan.program());
        command.addAll(plan.args());
        return command;
    }
}
