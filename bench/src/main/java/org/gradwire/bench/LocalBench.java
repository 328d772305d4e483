package org.gradwire.bench;

import org.gradwire.bench.local.OperatorCases;
import org.gradwire.bench.process.TemporaryDirectories;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * {@code ./gradwire bench --local}: operators and their backward passes in one process and on one
 * thread, in turns with PyTorch.
 */
final class LocalBench {
    private static final String NOTE =
            "x: how many times better gradwire is, above 1. Both compute on one thread.";

    /** The operator that is measured at the time; its operands are dropped with it. */
    private Optional<Metric> current = Optional.empty();

    private Runnable call = () -> {};

    private LocalBench() {}

    static void run(Options options) throws Exception {
        Path folder = Files.createTempDirectory("gradwire-bench");
        List<Subject> subjects = new ArrayList<>();
        try {
            if (options.wants(Report.OURS)) {
                subjects.add(Subject.of(Report.OURS, new LocalBench().workloads(), () -> {}));
            }
            if (options.wants(PyTorch.NAME)) {
                addPyTorch(options, folder, subjects);
            }
            var results = new Comparison(options, subjects).run();
            new Report(subjects.stream().map(Subject::name).toList(), results).print(options, NOTE);
        } finally {
            subjects.forEach(Subject::close);
            TemporaryDirectories.delete(folder);
        }
    }

    private static void addPyTorch(Options options, Path folder, List<Subject> subjects)
            throws IOException {
        Optional<ChildSubject> pytorch = PyTorch.startOperators(options.python(), folder);
        if (pytorch.isEmpty()) {
            System.out.println(PyTorch.HINT);
            return;
        }
        subjects.add(pytorch.get());
        pytorch.get().awaitReady();
    }

    private Map<Metric, Workload> workloads() {
        Map<Metric, Workload> workloads = new EnumMap<>(Metric.class);
        OperatorCases.all()
                .forEach((label, maker) -> {
                    Metric metric = Metric.labelled(label).orElseThrow();
                    workloads.put(
                            metric,
                            time -> Workload.latency(prepared(metric, maker)::run).measure(time));
                });
        return workloads;
    }

    private Runnable prepared(Metric metric, Supplier<Runnable> maker) {
        if (current.isEmpty() || current.get() != metric) {
            call = maker.get();
            current = Optional.of(metric);
        }
        return call;
    }
}
