package org.gradwire.checkpoint.cli;

import org.gradwire.checkpoint.Checkpoint;
import org.gradwire.checkpoint.CheckpointStorage;
import org.gradwire.checkpoint.Manifest;
import org.gradwire.checkpoint.Manifest.SavedTensor;
import org.gradwire.checkpoint.Manifest.Shard;
import org.gradwire.checkpoint.SavedCheckpoint;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Tables of checkpoints, of their tensors and of differences. */
final class Reports {
    static final String STATE = "state";
    static final String OK = "ok";

    private static final List<String> COLUMNS =
            List.of("step", "members", "tensors", "bytes", "program", STATE);

    private Reports() {}

    /** {@return all checkpoints, the oldest first, with the first thing that is wrong} */
    static Table list(CheckpointStorage storage, boolean verify) throws IOException {
        var table = new Table();
        for (long step : Checkpoint.steps(storage)) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("step", step);
            try {
                SavedCheckpoint saved = SavedCheckpoint.open(storage, step);
                if (verify) {
                    saved.verify();
                }
                describe(row, saved.manifest());
                row.put(STATE, OK);
            } catch (IOException e) {
                row.put(STATE, String.valueOf(e.getMessage()));
            }
            table.add(ordered(row));
        }
        return table;
    }

    /** {@return the columns, with a hyphen where nothing is known} */
    private static Map<String, Object> ordered(Map<String, Object> row) {
        Map<String, Object> ordered = new LinkedHashMap<>();
        COLUMNS.forEach(name -> ordered.put(name, row.getOrDefault(name, "-")));
        return ordered;
    }

    private static void describe(Map<String, Object> row, Manifest manifest) {
        row.put("members", manifest.members().size());
        row.put("tensors", manifest.tensors().size());
        row.put("bytes", manifest.shards().stream().mapToLong(Shard::bytes).sum());
        row.put("program", manifest.program().isEmpty() ? "-" : manifest.program());
    }

    /** {@return all tensors of a checkpoint} */
    static Table tensors(SavedCheckpoint saved) throws IOException {
        var table = new Table();
        for (SavedTensor tensor : saved.manifest().tensors()) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("name", tensor.name());
            row.put("dtype", tensor.dtype().toString());
            row.put("shape", tensor.shape());
            row.put("bytes", tensor.bytes());
            row.put("placement", placement(saved.manifest(), tensor));
            row.put("norm", norm(saved.tensor(tensor)));
            table.add(row);
        }
        return table;
    }

    private static String placement(Manifest manifest, SavedTensor tensor) {
        return tensor.pieces().stream()
                .map(piece -> {
                    String member = manifest.members().get(piece.shard());
                    return piece.rows() == tensor.rows()
                            ? member
                            : "%s[%d..%d]"
                                    .formatted(
                                            member,
                                            piece.first(),
                                            piece.first() + piece.rows() - 1);
                })
                .collect(Collectors.joining(" "));
    }

    private static double norm(Tensor tensor) {
        return Math.sqrt(tensor.to(DType.FLOAT64).pow(2).sum().item());
    }

    /** {@return the tensors that two checkpoints do not have in common, or with other values} */
    static Table differences(SavedCheckpoint one, SavedCheckpoint other) throws IOException {
        var table = new Table();
        Map<String, SavedTensor> ones = byName(one);
        Map<String, SavedTensor> others = byName(other);
        Map<String, SavedTensor> all = new TreeMap<>(ones);
        all.putAll(others);
        for (String name : all.keySet()) {
            String difference = difference(one, ones.get(name), other, others.get(name));
            if (!difference.isEmpty()) {
                Map<String, Object> row = new LinkedHashMap<>();
                row.put("name", name);
                row.put("difference", difference);
                table.add(row);
            }
        }
        return table;
    }

    private static Map<String, SavedTensor> byName(SavedCheckpoint saved) {
        Map<String, SavedTensor> tensors = new TreeMap<>();
        saved.manifest().tensors().forEach(tensor -> tensors.put(tensor.name(), tensor));
        return tensors;
    }

    private static String difference(
            SavedCheckpoint one,
            @Nullable SavedTensor a,
            SavedCheckpoint other,
            @Nullable SavedTensor b)
            throws IOException {
        if (a == null || b == null) {
            return "only in " + (a == null ? other : one);
        }
        if (a.dtype() != b.dtype() || !a.shape().equals(b.shape())) {
            return "%s%s and %s%s".formatted(a.dtype(), a.shape(), b.dtype(), b.shape());
        }
        Tensor first = one.tensor(a);
        Tensor second = other.tensor(b);
        return first.equal(second)
                ? ""
                : String.format(
                        Locale.ROOT,
                        "norm of the difference %.6g",
                        norm(first.to(DType.FLOAT64).sub(second.to(DType.FLOAT64))));
    }
}
