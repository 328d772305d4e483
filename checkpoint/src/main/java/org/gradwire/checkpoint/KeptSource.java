package org.gradwire.checkpoint;

import org.gradwire.checkpoint.KeptStates.CutId;
import org.gradwire.checkpoint.Manifest.Piece;
import org.gradwire.checkpoint.Manifest.SavedTensor;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.List;

/**
 * The tensors of a cut that members keep in their memories.
 *
 * @param rpc that calls the members
 * @param cut which one
 * @param workers names of the members that have some of its tensors
 * @param claims of each of these members
 */
record KeptSource(Rpc rpc, CutId cut, List<String> workers, List<List<Claim>> claims) {

    /**
     * Return the source.
     *
     * @throws CheckpointException if rows of a tensor were lost
     */
    TensorSource source() throws CheckpointException {
        return new TensorSource(toString(), SavePlan.of(workers, claims), this::read);
    }

    /** Read rows of a piece from this worker if it has them, else from another. */
    private Tensor read(SavedTensor tensor, Piece piece, int first, int count) {
        int own = workers.indexOf(rpc.self().name());
        boolean isHere =
                own >= 0
                        && claims.get(own).stream()
                                .anyMatch(claim ->
                                        claim.name().equals(tensor.name())
                                                && claim.first() == piece.first());
        String owner = isHere ? rpc.self().name() : workers.get(piece.shard());
        return rpc.rpcSync(
                owner, KeptStates::rows, cut, tensor.name(), new Rows(first, count, tensor.rows()));
    }

    /** Parse the description of a cut, and of the members that have its tensors. */
    static KeptSource parse(Rpc rpc, String training, Json json) throws CheckpointException {
        List<String> workers = new ArrayList<>();
        List<List<Claim>> claims = new ArrayList<>();
        for (Json holder : json.get("holders").elements()) {
            workers.add(holder.get("worker").text());
            List<Claim> all = new ArrayList<>();
            for (Json claim : holder.get("claims").elements()) {
                all.add(Claim.parse(claim));
            }
            claims.add(all);
        }
        var cut =
                new CutId(
                        training,
                        json.get("view").number(Long.MAX_VALUE),
                        json.get("step").number(Long.MAX_VALUE));
        return new KeptSource(rpc, cut, workers, claims);
    }

    /** {@return as in {@code step 12 in the memory of [worker0, worker2]}} */
    @Override
    public String toString() {
        return "step %d in the memory of %s".formatted(cut.step(), workers);
    }
}
