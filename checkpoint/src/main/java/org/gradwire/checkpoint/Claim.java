package org.gradwire.checkpoint;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A tensor that a member can write, or rows of one.
 *
 * @param shape of the whole tensor
 * @param digest of the elements
 */
record Claim(String name, DType dtype, List<Integer> shape, int first, int rows, String digest) {

    /** {@return the claims of a member, without those of no rows of a larger tensor} */
    static List<Claim> of(StagedState state) {
        return of(state, Digests::of);
    }

    /** {@return the claims of a member whose replicas are known to be equal, without digests} */
    static List<Claim> withoutDigests(StagedState state) {
        return of(state, _ -> "");
    }

    private static List<Claim> of(StagedState state, Function<Tensor, String> digest) {
        List<Claim> claims = new ArrayList<>();
        state.tensors()
                .forEach((name, tensor) -> {
                    Claim claim = of(name, tensor, state.rows().get(name), digest.apply(tensor));
                    boolean isEmpty = claim.rows == 0 && claim.shape.getFirst() > 0;
                    if (!isEmpty) {
                        claims.add(claim);
                    }
                });
        return claims;
    }

    private static Claim of(String name, Tensor tensor, @Nullable Rows rows, String digest) {
        List<Integer> shape = new ArrayList<>(Arrays.stream(tensor.shape()).boxed().toList());
        int count = shape.isEmpty() ? 1 : shape.getFirst();
        if (rows != null) {
            shape.set(0, rows.total());
        }
        int first = rows == null ? 0 : rows.first();
        return new Claim(name, tensor.dtype(), shape, first, count, digest);
    }

    /** {@return the size of the elements of these rows} */
    long bytes() {
        long bytes = (long) rows * dtype.bytes();
        for (int d = 1; d < shape.size(); d++) {
            bytes *= shape.get(d);
        }
        return bytes;
    }

    boolean hasTypeOf(Claim other) {
        return dtype == other.dtype && shape.equals(other.shape);
    }

    Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", name);
        fields.put("dtype", dtype.toString());
        fields.put("shape", shape);
        fields.put("first", first);
        fields.put("rows", rows);
        fields.put("sha256", digest);
        return fields;
    }

    static Claim parse(Json json) throws CheckpointException {
        json.only("name", "dtype", "shape", "first", "rows", "sha256");
        List<Integer> shape = new ArrayList<>();
        for (Json size : json.get("shape").elements()) {
            shape.add(size.count());
        }
        return new Claim(
                json.get("name").text(),
                ManifestFormat.dtype(json.get("dtype")),
                shape,
                json.get("first").count(),
                json.get("rows").count(),
                json.get("sha256").text());
    }
}
