package org.gradwire.bench.growth;

import java.util.ArrayList;
import java.util.List;

/** Groups of 2 to 64 processes on this host. */
final class GroupSizes implements GrowthBenchmark {
    private static final int[] SIZES = {2, 4, 8, 16, 32, 64};

    /** Up to this size, workers may be called again before they sleep. */
    private static final int AWAKE = 2 * Runtime.getRuntime().availableProcessors();

    private final List<CurvePoint> formSeconds = new ArrayList<>();
    private final List<CurvePoint> cpuSeconds = new ArrayList<>();
    private final List<CurvePoint> callMicros = new ArrayList<>();
    private final List<CurvePoint> callApartMicros = new ArrayList<>();
    private final List<CurvePoint> memoryMib = new ArrayList<>();
    private final List<CurvePoint> sharedMib = new ArrayList<>();

    @Override
    public String name() {
        return "world";
    }

    @Override
    public List<Curve> measure() throws Exception {
        for (int size : SIZES) {
            // In a virtual machine the first use of memory is slow.
            new TestGroup(size, 1).close();
            long begin = System.nanoTime();
            try (TestGroup testGroup = new TestGroup(size, 2)) {
                formSeconds.add(new CurvePoint(size, (System.nanoTime() - begin) / 1e9));
                cpuSeconds.add(new CurvePoint(size, testGroup.cpuSeconds()));
                double micros = testGroup.callMicros(); // also warms the workers up
                if (size > AWAKE) { // smaller groups take a few microseconds
                    callMicros.add(new CurvePoint(size, micros));
                }
                callApartMicros.add(new CurvePoint(size, testGroup.callApartMicros()));
                memoryMib.add(new CurvePoint(size, testGroup.memoryMib()));
                sharedMib.add(new CurvePoint(size, testGroup.sharedMemoryMib()));
            }
        }
        return List.of(
                curve("until all can call", "s", formSeconds),
                curve("processor time of a worker until then", "s", cpuSeconds),
                curve("sequential call to sleeping workers", "us", callMicros),
                curve("call while all workers wait", "us", callApartMicros),
                curve("memory of a worker", "MiB", memoryMib),
                curve("/dev/shm of a worker", "MiB", sharedMib));
    }

    private static Curve curve(String what, String unit, List<CurvePoint> points) {
        return new Curve("world " + what, "workers", unit, GrowthBound.LINEAR, points);
    }
}
