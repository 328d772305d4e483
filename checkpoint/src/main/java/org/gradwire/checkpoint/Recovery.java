package org.gradwire.checkpoint;

import org.gradwire.checkpoint.KeptStates.CutId;
import org.gradwire.collective.ProcessGroup;
import org.gradwire.rpc.GroupView;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.WorkerInfo;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Loads the newest state of a training: a cut that the members have in their memories, or else the
 * newest checkpoint of the storage. All trainers load the same one.
 *
 * @param group the trainers
 * @param view whose members may have copies
 */
record Recovery(
        Rpc rpc,
        ProcessGroup group,
        GroupView view,
        String training,
        CheckpointStorage storage,
        Map<String, Stateful> states) {
    private static final Logger LOG = System.getLogger(Recovery.class.getName());

    /** Load the state; {@return its number of steps; empty if there is none} */
    OptionalLong run() throws IOException {
        var exchange = new Exchange(group);
        List<Json> found = exchange.run(() -> group.rank() == 0 ? keptCuts() : List.of());
        for (Json cut : found.getFirst().elements()) {
            KeptSource source = KeptSource.parse(rpc, training, cut);
            try {
                load(exchange, source);
                return OptionalLong.of(source.cut().step());
            } catch (CheckpointException e) {
                LOG.log(Level.INFO, "an older state is loaded, since {0}", e.getMessage());
            }
        }
        return new GroupLoad(group, storage, states).run();
    }

    private void load(Exchange exchange, KeptSource source) throws CheckpointException {
        List<LoadPlan> plans = new ArrayList<>();
        var _ =
                exchange.run(() -> {
                    plans.add(LoadPlan.of(source.source(), states, Optional::of));
                    return "checked";
                });
        plans.getFirst().run();
    }

    /**
     * Ask the members for their cuts, and return the cuts that are not older than the newest
     * checkpoint, in descending order.
     */
    private List<Object> keptCuts() throws IOException {
        long published = Checkpoint.steps(storage).stream().mapToLong(s -> s).max().orElse(-1);
        Map<String, RpcFuture<byte[]>> asked = new LinkedHashMap<>();
        for (WorkerInfo member : view.members()) {
            asked.put(member.name(), rpc.rpcAsync(member.name(), KeptStates::describe, training));
        }
        Map<CutId, List<Object>> holders =
                new TreeMap<>(
                        Comparator.comparingLong(CutId::step)
                                .thenComparingLong(CutId::view)
                                .reversed());
        for (var entry : asked.entrySet()) {
            Json described = Json.parse(entry.getKey(), entry.getValue().join());
            for (Json cut : described.elements()) {
                long step = cut.get("step").number(Long.MAX_VALUE);
                var id = new CutId(training, cut.get("view").number(Long.MAX_VALUE), step);
                if (step >= published) {
                    holders.computeIfAbsent(id, _ -> new ArrayList<>())
                            .add(
                                    Map.of(
                                            "worker",
                                            entry.getKey(),
                                            "claims",
                                            cut.get("claims").value()));
                }
            }
        }
        List<Object> cuts = new ArrayList<>();
        holders.forEach((cut, all) ->
                cuts.add(Map.of("view", cut.view(), "step", cut.step(), "holders", all)));
        return cuts;
    }
}
