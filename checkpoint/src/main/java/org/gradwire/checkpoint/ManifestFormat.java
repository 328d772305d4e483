package org.gradwire.checkpoint;

import org.gradwire.checkpoint.Manifest.Piece;
import org.gradwire.checkpoint.Manifest.SavedTensor;
import org.gradwire.checkpoint.Manifest.Shard;
import org.gradwire.tensor.DType;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Manifests as JSON. A manifest is untrusted: nothing in it names a path. */
final class ManifestFormat {
    static final int VERSION = 1;

    /** Most bytes of a manifest. */
    static final int MAX_BYTES = 1 << 26;

    private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");

    private ManifestFormat() {}

    static byte[] write(Manifest manifest) {
        List<Object> shards = new ArrayList<>();
        for (Shard shard : manifest.shards()) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("file", StepNames.shard(shards.size()));
            fields.put("bytes", shard.bytes());
            fields.put("sha256", shard.sha256());
            shards.add(fields);
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("format", VERSION);
        fields.put("step", manifest.step());
        fields.put("program", manifest.program());
        fields.put("members", manifest.members());
        fields.put("shards", shards);
        fields.put("tensors", manifest.tensors().stream().map(ManifestFormat::fields).toList());
        return Json.write(fields);
    }

    private static Map<String, Object> fields(SavedTensor tensor) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", tensor.name());
        fields.put("dtype", tensor.dtype().toString());
        fields.put("shape", tensor.shape());
        fields.put("bytes", tensor.bytes());
        fields.put("pieces", tensor.pieces().stream().map(ManifestFormat::fields).toList());
        return fields;
    }

    private static Map<String, Object> fields(Piece piece) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("shard", piece.shard());
        fields.put("first", piece.first());
        fields.put("rows", piece.rows());
        return fields;
    }

    /** Parse a manifest, and verify all that can be verified without the shards. */
    static Manifest parse(byte[] text) throws CheckpointException {
        Json json = Json.parse(StepNames.MANIFEST, text);
        json.only("format", "step", "program", "members", "shards", "tensors");
        if (json.get("format").number(Long.MAX_VALUE) != VERSION) {
            throw json.get("format").wrong("%d; use the version that wrote it".formatted(VERSION));
        }
        List<String> members = new ArrayList<>();
        for (Json member : json.get("members").elements()) {
            members.add(member.text());
        }
        List<Shard> shards = shards(json.get("shards"), members.size());
        List<SavedTensor> tensors = new ArrayList<>();
        String before = "";
        for (Json tensor : json.get("tensors").elements()) {
            tensors.add(tensor(tensor, before, shards));
            before = tensors.getLast().name();
        }
        return new Manifest(
                json.get("step").number(Long.MAX_VALUE),
                json.get("program").text(),
                members,
                shards,
                tensors);
    }

    private static List<Shard> shards(Json list, int members) throws CheckpointException {
        List<Shard> shards = new ArrayList<>();
        for (Json shard : list.elements()) {
            shard.only("file", "bytes", "sha256");
            String file = StepNames.shard(shards.size());
            if (!shard.get("file").text().equals(file)) {
                throw shard.get("file").wrong(file);
            }
            if (!DIGEST.matcher(shard.get("sha256").text()).matches()) {
                throw shard.get("sha256").wrong("64 hexadecimal digits");
            }
            shards.add(
                    new Shard(
                            shard.get("bytes").number(Long.MAX_VALUE), shard.get("sha256").text()));
        }
        if (shards.size() != members) {
            throw list.wrong("%d shards, one of each member".formatted(members));
        }
        return shards;
    }

    private static SavedTensor tensor(Json json, String before, List<Shard> shards)
            throws CheckpointException {
        json.only("name", "dtype", "shape", "bytes", "pieces");
        String name = json.get("name").text();
        if (name.compareTo(before) <= 0) {
            throw json.get("name").wrong("a name after '%s'".formatted(before));
        }
        List<Integer> shape = new ArrayList<>();
        long elements = 1;
        for (Json size : json.get("shape").elements()) {
            shape.add(size.count());
            elements *= size.count();
            if (elements > Integer.MAX_VALUE) {
                throw json.get("shape").wrong("at most %d elements".formatted(Integer.MAX_VALUE));
            }
        }
        List<Piece> pieces = new ArrayList<>();
        for (Json piece : json.get("pieces").elements()) {
            pieces.add(piece(piece, shards.size()));
        }
        var tensor = new SavedTensor(name, dtype(json.get("dtype")), shape, pieces);
        if (json.get("bytes").number(Long.MAX_VALUE) != tensor.bytes()) {
            throw json.get("bytes").wrong("%d, by type and shape".formatted(tensor.bytes()));
        }
        requireTiles(json.get("pieces"), tensor);
        return tensor;
    }

    static DType dtype(Json json) throws CheckpointException {
        String name = json.text();
        return Arrays.stream(DType.values())
                .filter(dtype -> dtype.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> json.wrong("one of " + Arrays.toString(DType.values())));
    }

    private static Piece piece(Json json, int shards) throws CheckpointException {
        json.only("shard", "first", "rows");
        return new Piece(
                (int) json.get("shard").number(shards - 1L),
                json.get("first").count(),
                json.get("rows").count());
    }

    /** Verify that pieces are all rows of a tensor, each once. */
    private static void requireTiles(Json json, SavedTensor tensor) throws CheckpointException {
        long row = 0;
        for (Piece piece : tensor.pieces()) {
            boolean isEmpty = piece.rows() == 0 && tensor.rows() > 0;
            if (piece.first() != row || isEmpty) {
                throw json.wrong("pieces without gaps, one from row " + row);
            }
            row += piece.rows();
        }
        if (row != tensor.rows() || tensor.pieces().isEmpty()) {
            throw json.wrong("pieces with %d rows together".formatted(tensor.rows()));
        }
    }
}
