package org.gradwire.bench;

import org.gradwire.bench.process.Jvm;
import org.gradwire.bench.process.MemberPlaces;
import org.gradwire.bench.process.NetworkHost;
import org.gradwire.bench.process.TemporaryDirectories;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * {@code ./gradwire bench --collectives}: operations of process groups on this machine, with
 * Gradwire and with PyTorch's backend gloo, in turns.
 */
final class CollectivesBench {
    private static final String PROGRAM = "pytorch_collectives.py";
    private static final int MOST_MEMBERS_OF_LARGEST = 2; // each of them has several copies

    /** The operations that are next to a copy of memory. */
    private static final Set<Metric> LARGE =
            EnumSet.range(Metric.ALL_REDUCE_1_MIB, Metric.ALL_REDUCE_256_MIB);

    /** The metrics for which each process has tensors of 256 MiB. */
    static final Set<Metric> LARGEST =
            EnumSet.of(
                    Metric.ALL_REDUCE_256_MIB,
                    Metric.CALL_DURING_ADD,
                    Metric.CALL_DURING_ALL_REDUCE);

    private static final String NOTE =
            "Times are medians of one operation on rank 0, while all members repeat it; it receives the"
                    + " broadcast. gloo has one thread for computing in each process. x: how many times better"
                    + " gradwire is, above 1. of copy: the bytes that a member sends in a ring, 2 (n - 1) / n"
                    + " of the tensor, by gradwire's time, as a share of the rate of a copy of the tensor in"
                    + " memory. call: rank 0 calls add on rank 1, alone, while a thread of each member adds"
                    + " tensors without another member, and while the members repeat an all-reduce. Processors for all processes: ";

    private final Options options;
    private final Path folder;
    private final MemberPlaces places;

    private CollectivesBench(Options options, Path folder, MemberPlaces places) {
        this.options = options;
        this.folder = folder;
        this.places = places;
    }

    /** {@return whether a metric is measured with a number of members} */
    static boolean fits(Metric metric, int members) {
        return !LARGEST.contains(metric) || members <= MOST_MEMBERS_OF_LARGEST;
    }

    /** Measure the numbers of members in the options, and print the results. */
    static void run(Options options) throws Exception {
        if (!options.isInNamespaces()) {
            run(options, MemberPlaces.onThisHost());
            return;
        }
        Optional<List<NetworkHost>> hosts = NetworkHost.startTwoOrSay();
        if (hosts.isPresent()) {
            try {
                run(options, MemberPlaces.onHosts(hosts.get()));
            } finally {
                hosts.get().forEach(NetworkHost::close);
            }
        }
    }

    private static void run(Options options, MemberPlaces places) throws Exception {
        Path folder = Files.createTempDirectory("gradwire-collectives");
        var bench = new CollectivesBench(options, folder, places);
        List<String> json = new ArrayList<>();
        List<String> table = new ArrayList<>();
        try {
            for (int members : options.workers()) {
                bench.measure(members)
                        .forEach((metric, bySystem) -> {
                            table.addAll(rows(metric, members, bySystem));
                            json.addAll(json(metric, members, bySystem));
                        });
            }
        } finally {
            TemporaryDirectories.delete(folder);
        }
        System.out.println(heading());
        table.forEach(System.out::println);
        System.out.println();
        System.out.println(NOTE + Runtime.getRuntime().availableProcessors());
        if (options.json().isPresent()) {
            Files.write(options.json().get(), json);
        }
    }

    private Map<Metric, Map<String, Timing>> measure(int members) throws Exception {
        List<Subject> subjects = new ArrayList<>();
        try {
            if (options.wants(Report.OURS)) {
                subjects.add(gradwire(members));
            }
            if (options.wants(PyTorch.NAME)) {
                addGloo(members, subjects);
            }
            for (Subject subject : subjects) {
                if (subject instanceof ChildSubject child) {
                    child.awaitReady();
                }
            }
            if (options.wants(MachineLimits.NAME) && !options.isInNamespaces()) {
                subjects.add(Subject.of(MachineLimits.NAME, copies(members), () -> {}));
            }
            var results = new Comparison(options, subjects).run();
            results.values().removeIf(Map::isEmpty);
            return results;
        } finally {
            subjects.forEach(Subject::close);
        }
    }

    private ChildSubject gradwire(int members) throws IOException {
        List<String> program = new ArrayList<>(Jvm.command(CollectivePeer.class));
        program.add(Integer.toString(members));
        program.addAll(places.settings(members));
        return start(Report.OURS, false, program, members, places.meeting(folder, members));
    }

    private void addGloo(int members, List<Subject> subjects) throws IOException {
        var python = PyTorch.python(options.python());
        if (python.isEmpty()) {
            System.out.println(PyTorch.HINT);
            return;
        }
        String program = PyTorch.unpack(PROGRAM, folder).toString();
        List<String> command =
                List.of(
                        python.get(),
                        program,
                        Integer.toString(members),
                        places.networkInterface());
        subjects.add(start(PyTorch.NAME, true, command, members, places.glooMeeting(members)));
    }

    private ChildSubject start(
            String name, boolean stops, List<String> program, int members, String meeting)
            throws IOException {
        List<List<String>> commands =
                IntStream.range(0, members)
                        .mapToObj(rank ->
                                places.enter(
                                        rank,
                                        members,
                                        ChildSubject.command(program, rank, meeting)))
                        .toList();
        return ChildSubject.group(name, stops, commands);
    }

    private Map<Metric, Workload> copies(int members) {
        Map<Metric, Workload> copies = new EnumMap<>(Metric.class);
        for (Metric metric : LARGE) {
            if (options.wants(metric) && fits(metric, members)) {
                copies.put(metric, MachineLimits.copy(metric.work()));
            }
        }
        return copies;
    }

    /** {@return the names of the columns} */
    static String heading() {
        return line("", "members", "gradwire us", "gloo us", "x", "of copy");
    }

    /** {@return the lines of an operation in the table; of calls also the 99th percentile} */
    static List<String> rows(Metric metric, int members, Map<String, Timing> bySystem) {
        Timing ours = bySystem.get(Report.OURS);
        return ours != null && MemberCalls.METRICS.contains(metric)
                ? Result.of(metric, ours).stream()
                        .map(result -> line(result.name(), members, result.text(), "", "", ""))
                        .toList()
                : List.of(row(metric, members, bySystem));
    }

    /** {@return the line of an operation in the table} */
    static String row(Metric metric, int members, Map<String, Timing> bySystem) {
        Timing ours = bySystem.get(Report.OURS);
        Timing gloo = bySystem.get(PyTorch.NAME);
        Timing copy = bySystem.get(MachineLimits.NAME);
        double ringShare = 2.0 * (members - 1) / members;
        return line(
                metric.label(),
                Integer.toString(members),
                text(metric, ours),
                text(metric, gloo),
                ours == null || gloo == null
                        ? ""
                        : String.format(Locale.ROOT, "%.2f", ratio(gloo, ours)),
                ours == null || copy == null
                        ? ""
                        : String.format(
                                Locale.ROOT, "%.0f %%", 100 * ringShare * ratio(copy, ours)));
    }

    private static String line(Object... cells) {
        return String.format(Locale.ROOT, "%-44s %7s %12s %12s %7s %8s", cells).stripTrailing();
    }

    private static double ratio(Timing a, Timing b) {
        return (double) a.medianNanos() / (double) b.medianNanos();
    }

    private static String text(Metric metric, @Nullable Timing timing) {
        return timing == null ? "" : Result.of(metric, timing).getFirst().text();
    }

    /** {@return the numbers of an operation, with the number of members in their names} */
    static List<String> json(Metric metric, int members, Map<String, Timing> bySystem) {
        List<String> lines = new ArrayList<>();
        bySystem.forEach((system, timing) -> {
            for (Result result : Result.of(metric, timing)) {
                lines.add(result.named(result.name() + ".w" + members).json(system));
            }
        });
        return lines;
    }
}
