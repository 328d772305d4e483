package org.gradwire.checkpoint;

import org.gradwire.checkpoint.Manifest.Piece;
import org.gradwire.checkpoint.Manifest.SavedTensor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Chooses the member that writes each tensor: the one with the fewest bytes of those that have it,
 * the largest tensors first. All members compute the same plan.
 */
final class SavePlan {
    private final List<String> members;
    private final Map<String, TreeMap<Integer, Unit>> units = new TreeMap<>();

    /** Rows that some members have, and one writes. */
    private static final class Unit {
        final Claim claim;
        final List<Integer> ranks = new ArrayList<>();
        int writer;

        Unit(Claim claim) {
            this.claim = claim;
        }
    }

    private SavePlan(List<String> members) {
        this.members = members;
    }

    /** {@return the tensors of the manifest, by name} */
    static List<SavedTensor> of(List<String> members, List<List<Claim>> claims)
            throws CheckpointException {
        var plan = new SavePlan(members);
        for (int rank = 0; rank < claims.size(); rank++) {
            for (Claim claim : claims.get(rank)) {
                plan.add(rank, claim);
            }
        }
        plan.chooseWriters();
        return plan.tensors();
    }

    private void add(int rank, Claim claim) throws CheckpointException {
        TreeMap<Integer, Unit> pieces = units.computeIfAbsent(claim.name(), _ -> new TreeMap<>());
        if (!pieces.isEmpty() && !pieces.firstEntry().getValue().claim.hasTypeOf(claim)) {
            Unit other = pieces.firstEntry().getValue();
            throw differ(other, rank, claim, "types or shapes");
        }
        Unit unit = pieces.computeIfAbsent(claim.first(), _ -> new Unit(claim));
        if (!unit.claim.equals(claim)) {
            throw differ(unit, rank, claim, "values");
        }
        unit.ranks.add(rank);
    }

    private CheckpointException differ(Unit unit, int rank, Claim claim, String what) {
        return new CheckpointException(
                "'%s' has different %s on %s and %s; give states of single members different names, such as random-%d"
                        .formatted(
                                claim.name(),
                                what,
                                members.get(unit.ranks.getFirst()),
                                members.get(rank),
                                rank));
    }

    private void chooseWriters() {
        long[] written = new long[members.size()];
        units.values().stream()
                .flatMap(pieces -> pieces.values().stream())
                .sorted(
                        Comparator.comparingLong((Unit unit) -> -unit.claim.bytes())
                                .thenComparing(unit -> unit.claim.name())
                                .thenComparingInt(unit -> unit.claim.first()))
                .forEach(unit -> {
                    unit.writer = unit.ranks.getFirst();
                    for (int rank : unit.ranks) {
                        unit.writer = written[rank] < written[unit.writer] ? rank : unit.writer;
                    }
                    written[unit.writer] += Math.max(1, unit.claim.bytes());
                });
    }

    private List<SavedTensor> tensors() throws CheckpointException {
        List<SavedTensor> tensors = new ArrayList<>();
        for (var entry : units.entrySet()) {
            List<Piece> pieces = new ArrayList<>();
            int row = 0;
            for (Unit unit : entry.getValue().values()) {
                Claim claim = unit.claim;
                if (claim.first() != row) {
                    throw gap(claim, row);
                }
                pieces.add(new Piece(unit.writer, row, claim.rows()));
                row += claim.rows();
            }
            Claim claim = entry.getValue().firstEntry().getValue().claim;
            var tensor = new SavedTensor(entry.getKey(), claim.dtype(), claim.shape(), pieces);
            if (row != tensor.rows()) {
                throw gap(claim, row);
            }
            tensors.add(tensor);
        }
        return tensors;
    }

    private static CheckpointException gap(Claim claim, int row) {
        return new CheckpointException(
                "the rows of '%s' from %d on are not held by exactly one member; divide its %d rows without gaps and overlaps"
                        .formatted(claim.name(), row, claim.shape().getFirst()));
    }
}
