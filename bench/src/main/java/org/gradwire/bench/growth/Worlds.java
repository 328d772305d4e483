package org.gradwire.bench.growth;

import java.util.ArrayList;
import java.util.List;

/** Groups of processes on this host. */
final class Worlds implements Growth {
    private static final int[] SIZES = {2, 4, 8, 16, 32, 64};

    /** Up to here each worker may be called again before it has gone to sleep. */
    private static final int AWAKE = 2 * Runtime.getRuntime().availableProcessors();

    private final List<Point> formSeconds = new ArrayList<>();
    private final List<Point> cpuSeconds = new ArrayList<>();
    private final List<Point> callMicros = new ArrayList<>();
    private final List<Point> callApartMicros = new ArrayList<>();
    private final List<Point> memoryMib = new ArrayList<>();
    private final List<Point> sharedMib = new ArrayList<>();

    @Override
    public String name() {
        return "world";
    }

    @Override
    public List<Curve> measure() throws Exception {
        for (int size : SIZES) {
            // A virtual machine gets memory when it is first used, and that is slow.
            new World(size, 1).close();
            long begin = System.nanoTime();
            try (World world = new World(size, 2)) {
                formSeconds.add(new Point(size, (System.nanoTime() - begin) / 1e9));
                cpuSeconds.add(new Point(size, world.cpuSeconds()));
                double micros = world.callMicros(); // also makes the workers warm
                if (size > AWAKE) { // smaller groups take a few microseconds
                    callMicros.add(new Point(size, micros));
                }
                callApartMicros.add(new Point(size, world.callApartMicros()));
                memoryMib.add(new Point(size, world.memoryMib()));
                sharedMib.add(new Point(size, world.sharedMemoryMib()));
            }
        }
        return List.of(
                curve("until all can call", "s", formSeconds),
                curve("processor time of a worker until then", "s", cpuSeconds),
                curve("call, one after another, to workers that sleep", "us", callMicros),
                curve("call, when all workers wait", "us", callApartMicros),
                curve("memory of a worker", "MiB", memoryMib),
                curve("/dev/shm of a worker", "MiB", sharedMib));
    }

    private static Curve curve(String what, String unit, List<Point> points) {
        return new Curve("world " + what, "workers", unit, Bound.LINEAR, points);
    }
}
