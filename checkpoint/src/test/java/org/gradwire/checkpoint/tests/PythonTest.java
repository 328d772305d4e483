package org.gradwire.checkpoint.tests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.checkpoint.Checkpoint;
import org.gradwire.checkpoint.CheckpointStorage;
import org.gradwire.checkpoint.Manifest.SavedTensor;
import org.gradwire.checkpoint.Rows;
import org.gradwire.checkpoint.SavedCheckpoint;
import org.gradwire.checkpoint.Stateful;
import org.gradwire.junit.GradwireWorkers;
import org.gradwire.nn.Linear;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.io.SafeTensors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Checkpoints that PyTorch reads with the lines of the guide, and files that it writes. */
class PythonTest {
    private static final Path GUIDE = Path.of("../docs/guide/11-checkpoints.md");
    private static final Pattern LINES = Pattern.compile("(?s)```python\n(.*?)```");
    private static final Pattern TENSOR =
            Pattern.compile(
                    "\"([^\"]+)\": \\{\"dtype\": \"(\\w+)\", \"shape\": (\\[[0-9, ]*\\]), \"sha256\": \"(\\w+)\"\\}");

    @TempDir Path directory;
    private Python python;

    @BeforeEach
    void find() throws Exception {
        python = Python.require();
    }

    /** {@return type, shape and digest of a tensor, as exchange.py prints them} */
    private static String describe(Tensor tensor) throws Exception {
        byte[] bytes = tensor.contiguous().asSegment().toArray(ValueLayout.JAVA_BYTE);
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
        return tensor.dtype() + Arrays.toString(tensor.shape()) + HexFormat.of().formatHex(digest);
    }

    private static Map<String, String> parse(String line) {
        return TENSOR.matcher(line)
                .results()
                .collect(
                        Collectors.toMap(
                                found -> found.group(1),
                                PythonTest::description,
                                (a, _) -> a,
                                TreeMap::new));
    }

    private static String description(MatchResult found) {
        return found.group(2) + found.group(3) + found.group(4);
    }

    /** A state with all types. */
    private static Stateful types() {
        Tensor values = Tensor.of(1.5, -2, 0, 65504, 3, Double.NEGATIVE_INFINITY).view(3, 2);
        Map<String, Tensor> all = new HashMap<>();
        for (DType dtype : DType.values()) {
            boolean isWhole = dtype == DType.INT32 || dtype == DType.INT64;
            all.put(dtype.toString(), (isWhole ? values.nanToNum() : values).to(dtype));
        }
        all.put("scalar", Tensor.scalar(DType.INT64, -7));
        all.put("nothing", Tensor.zeros(0, 2));
        return new Held(all, Map.of());
    }

    @Test
    @GradwireWorkers(3)
    void theLinesOfTheGuideAssembleACheckpoint(List<Rpc> workers) throws Exception {
        Path checkpoints = directory.resolve("checkpoints");
        var model = new Linear(4, 3, 1L);
        model.to(DType.FLOAT64);
        Tensor table = Tensor.arange(0, 14, 1).view(7, 2);
        var _ =
                Members.run(
                        workers,
                        (rpc, group) -> {
                            var rows = Held.rows(Rows.of(group.rank(), 3, 7), table);
                            Map<String, Stateful> states =
                                    Map.of(
                                            "model", Stateful.of(model),
                                            "table", rows,
                                            "types", types());
                            try (var checkpoint =
                                    Checkpoint.of(rpc, Members.names(workers), checkpoints)) {
                                return checkpoint.save(12, states);
                            }
                        });
        Matcher lines = LINES.matcher(Files.readString(GUIDE));
        assertTrue(lines.find(), "the guide has lines of Python");
        Path program = directory.resolve("guide.py");
        Files.writeString(program, lines.group(1));
        List<String> printed = python.exchange(directory, "read", program.toString());
        assertEquals(expected(checkpoints), parse(printed.getFirst()));
        Tensor result = model.forward(Tensor.of(0.0, 1.0, 2.0, 3.0));
        double[] theirs =
                Arrays.stream(printed.getLast().replaceAll("[\\[\\] ]", "").split(",", -1))
                        .mapToDouble(Double::parseDouble)
                        .toArray();
        assertArrayEquals(result.toDoubleArray(), theirs, 1e-12);
    }

    private static Map<String, String> expected(Path checkpoints) throws Exception {
        SavedCheckpoint saved = SavedCheckpoint.open(CheckpointStorage.directory(checkpoints), 12);
        Map<String, String> expected = new TreeMap<>();
        for (SavedTensor tensor : saved.manifest().tensors()) {
            expected.put(tensor.name(), describe(saved.tensor(tensor)));
        }
        assertEquals(2 + 1 + DType.values().length + 2, expected.size());
        return expected;
    }

    @Test
    void filesOfPythonAreLoadedByNameAndByMapping() throws Exception {
        Map<String, String> written = parse(python.exchange(directory, "write").getFirst());
        assertEquals(8, written.size());
        Path file = directory.resolve("python.safetensors");
        Map<String, String> read = new TreeMap<>();
        for (var tensor : SafeTensors.load(file).entrySet()) {
            read.put(tensor.getKey(), describe(tensor.getValue()));
        }
        assertEquals(written, read);
        assertEquals("a test", SafeTensors.open(file).metadata().get("by"));
        assertLoadedByMapping(file);
    }

    private static void assertLoadedByMapping(Path file) throws IOException {
        var state = new Held(new HashMap<>(Map.of("weight", Tensor.zeros(2, 3))), Map.of());
        Map<String, Tensor> mapped =
                SafeTensors.load(file).entrySet().stream()
                        .filter(each -> each.getKey().equals("net.weight"))
                        .collect(
                                Collectors.toMap(
                                        each -> each.getKey().replace("net.", ""),
                                        Map.Entry::getValue));
        state.check(mapped);
        state.loadStateDict(mapped);
        Tensor expected = Objects.requireNonNull(SafeTensors.load(file).get("net.weight"));
        assertTrue(expected.equal(Objects.requireNonNull(state.held().get("weight"))));
    }
}
