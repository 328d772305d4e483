package org.gradwire.checkpoint;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;

/**
 * The copies of states in the memory of a worker: its own, and those of other members that have
 * sent theirs. Of each training it keeps the last two cuts, since a member may be lost before all
 * have copied the newer one. Thread-safe.
 *
 * <p>Public because it is called remotely; programs use {@link ElasticTrainer}.
 */
public final class KeptStates {
    private static final int CUTS = 2;

    /** The states of members by training and cut, in the order in which the cuts came. */
    private final Map<String, SequencedMap<CutId, Map<String, StagedState>>> kept = new HashMap<>();

    private final Set<String> finished = new HashSet<>(); // names of trainings

    private KeptStates() {}

    static KeptStates of(Rpc rpc) {
        return rpc.locals().get(KeptStates.class, KeptStates::new);
    }

    /**
     * Identifies a cut.
     *
     * @param training the name of the training
     * @param view number of the view in which it was made: a step may be repeated in a later one
     * @param step number of steps done
     */
    @WireValue
    public record CutId(String training, long view, long step) {}

    synchronized void add(CutId cut, String member, StagedState state) {
        SequencedMap<CutId, Map<String, StagedState>> cuts =
                kept.computeIfAbsent(cut.training, _ -> new LinkedHashMap<>());
        cuts.computeIfAbsent(cut, _ -> new LinkedHashMap<>()).put(member, state);
        if (cuts.size() > CUTS) {
            var _ = cuts.pollFirstEntry();
        }
    }

    private synchronized Map<CutId, List<StagedState>> cuts(String training) {
        Map<CutId, List<StagedState>> cuts = new LinkedHashMap<>();
        kept.getOrDefault(training, new LinkedHashMap<>())
                .forEach((cut, members) -> cuts.put(cut, List.copyOf(members.values())));
        return cuts;
    }

    /** {@return whether the first trainer has said that all is done} */
    synchronized boolean isFinished(String training) {
        return finished.contains(training);
    }

    /** Note that a training has ended: its first trainer is about to leave. */
    @RemoteCallable
    public static void finish(String training) {
        KeptStates here = of(Rpc.current());
        synchronized (here) {
            here.finished.add(training);
        }
    }

    /** Keep the state of another member. */
    @RemoteCallable
    public static void keep(
            CutId cut, String member, Map<String, Tensor> tensors, Map<String, Rows> rows) {
        of(Rpc.current()).add(cut, member, new StagedState(tensors, rows));
    }

    /** Describe the copies of a training: a list of cuts with their claims, as JSON. */
    @RemoteCallable
    public static byte[] describe(String training) {
        List<Object> cuts = new ArrayList<>();
        of(Rpc.current())
                .cuts(training)
                .forEach((cut, states) -> {
                    List<Object> claims =
                            states.stream()
                                    .flatMap(state -> Claim.withoutDigests(state).stream())
                                    .distinct()
                                    .<Object>map(Claim::fields)
                                    .toList();
                    cuts.add(Map.of("view", cut.view, "step", cut.step, "claims", claims));
                });
        return Json.write(cuts);
    }

    /** Return rows of a tensor. */
    @RemoteCallable
    public static Tensor rows(CutId cut, String tensor, Rows rows) {
        List<StagedState> states =
                of(Rpc.current()).cuts(cut.training).getOrDefault(cut, List.of());
        for (StagedState state : states) {
            Tensor found = state.find(tensor, rows);
            if (found != null) {
                return found;
            }
        }
        throw new IllegalArgumentException(
                "%s keeps no copy of %s of '%s' of %s"
                        .formatted(Rpc.current().self().name(), rows, tensor, cut));
    }
}
