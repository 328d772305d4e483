package org.gradwire.examples.batchrpc;

import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** The same training in one process: one loop over the environments of all observers. */
final class SingleProcess {
    private final Options options;
    private final List<Integer> observers;
    private final List<CartPole> worlds;
    private final Policy policy;

    SingleProcess(Options options, int observers) {
        this.options = options;
        this.observers = IntStream.range(0, observers).boxed().toList();
        this.worlds =
                this.observers.stream()
                        .map(observer -> new CartPole(options.seed() + observer))
                        .toList();
        this.policy = new Policy(observers, options.hidden(), options.seed());
    }

    /** {@return the observers' episodes, round by round} */
    List<List<Episode>> run(boolean batched) {
        List<List<Episode>> all = new ArrayList<>();
        for (int i = 0; i < options.episodes(); i++) {
            List<Episode> episodes =
                    observers.stream()
                            .map(_ -> new Episode(new ArrayList<>(), new ArrayList<>()))
                            .toList();
            for (int step = 0; step < options.steps(); step++) {
                step(episodes, batched);
            }
            policy.learn(episodes);
            all.add(episodes);
        }
        return all;
    }

    private void step(List<Episode> episodes, boolean batched) {
        List<Tensor> states = worlds.stream().map(CartPole::state).toList();
        List<Integer> actions =
                batched
                        ? policy.choose(observers, states)
                        : observers.stream()
                                .map(i ->
                                        policy.choose(List.of(i), List.of(states.get(i)))
                                                .getFirst())
                                .toList();
        for (int i = 0; i < actions.size(); i++) {
            episodes.get(i).actions().add(actions.get(i));
            episodes.get(i).fell().add(worlds.get(i).step(actions.get(i)));
        }
    }
}
