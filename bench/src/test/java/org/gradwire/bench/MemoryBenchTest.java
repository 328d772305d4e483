package org.gradwire.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.gradwire.bench.memory.IdleMemory;
import org.gradwire.bench.memory.TrainingMemory;
import org.junit.jupiter.api.Test;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The report of memory. */
class MemoryBenchTest {
    private static final long MIB = 1 << 20;

    private static MemoryBench bench() {
        Map<String, List<IdleMemory>> pairs = new LinkedHashMap<>();
        pairs.put(
                "gradwire",
                List.of(
                        new IdleMemory(50 * MIB, 40 * MIB),
                        new IdleMemory(90 * MIB, 40 * MIB),
                        new IdleMemory(60 * MIB, 40 * MIB)));
        pairs.put("grpc", List.of(new IdleMemory(120 * MIB, 0)));
        return new MemoryBench(pairs);
    }

    @Test
    void rowsHaveMediansAndRatios() {
        assertEquals(
                List.of(
                        List.of("", "unit", "gradwire", "grpc", "x"),
                        List.of("memory.idle.worker", "MiB", "60", "120", "2.00"),
                        List.of("memory.idle.driver", "MiB", "40", "", ""),
                        List.of("memory.idle.pair", "MiB", "160", "240", "1.50")),
                bench().rows().stream()
                        .map(row -> row.stream().map(MemoryBenchTest::whole).toList())
                        .toList());
    }

    private static String whole(String cell) {
        return cell.endsWith(".0") ? cell.substring(0, cell.length() - 2) : cell;
    }

    @Test
    void jsonHasEachNumber() {
        List<String> lines = bench().json();
        assertEquals(2 * 3, lines.size());
        assertEquals(
                "{\"name\":\"memory.idle.worker\",\"system\":\"gradwire\",\"value\":60.000,\"unit\":\"MiB\"}",
                lines.getFirst());
    }

    @Test
    void trainingCountsHeapAndNativeMemory() {
        var memory = new TrainingMemory(2 * MIB, 6 * MIB, 5 * MIB);
        assertEquals(1.6, memory.ratio(), 1e-9);
        assertEquals(
                "memory.mlpstep: gradwire needs 8.0 MiB (heap 2.0, native 6.0), PyTorch's tensors have 5.0 MiB: 1.60 times as much; required: at most 1.3",
                memory.line());
    }
}
