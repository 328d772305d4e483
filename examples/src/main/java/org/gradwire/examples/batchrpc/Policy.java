package org.gradwire.examples.batchrpc;

import org.gradwire.autograd.GradMode;
import org.gradwire.nn.Linear;
import org.gradwire.nn.Sequential;
import org.gradwire.nn.activation.Tanh;
import org.gradwire.optim.Adam;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * A stochastic policy that learns by REINFORCE (Williams, 1992). Each observer has its own random
 * numbers and memory, so its results do not depend on the timing of other observers.
 */
final class Policy {
    private static final double LEARNING_RATE = 0.64; // divided by the size of the hidden layers

    private final Sequential network;
    private final Adam optimizer;
    private final List<Memory> memories;

    private record Memory(SplittableRandom random, List<Tensor> states) {}

    Policy(int observers, int hidden, long seed) {
        network =
                new Sequential(
                        new Linear(4, hidden, seed),
                        new Tanh(),
                        new Linear(hidden, hidden, seed + 1),
                        new Tanh(),
                        new Linear(hidden, 2, seed + 2));
        // The last digits of results depend on the JIT compilation of the kernels. Those of doubles
        // are too small to change an action.
        network.to(DType.FLOAT64);
        optimizer = new Adam(network.parameters(), LEARNING_RATE / hidden);
        memories =
                IntStream.range(0, observers)
                        .mapToObj(observer ->
                                new Memory(
                                        new SplittableRandom(seed + 1000 + observer),
                                        new ArrayList<>()))
                        .toList();
    }

    /** Choose an action for each of some observers, in one forward pass. */
    List<Integer> choose(List<Integer> observers, List<Tensor> states) {
        Tensor preferences =
                GradMode.noGrad(() -> network.forward(Ops.stack(states, 0)).softmax(1));
        List<Integer> actions = new ArrayList<>();
        for (int row = 0; row < states.size(); row++) {
            Memory memory = memories.get(observers.get(row));
            memory.states.add(states.get(row));
            actions.add(memory.random.nextDouble() < preferences.get(row, 0) ? 0 : 1);
        }
        return actions;
    }

    /** Update the policy from one episode of each observer. */
    void learn(List<Episode> episodes) {
        List<Tensor> states = new ArrayList<>();
        memories.forEach(memory -> states.addAll(memory.states));
        memories.forEach(memory -> memory.states.clear());
        long[] actions =
                episodes.stream()
                        .flatMap(episode -> episode.actions().stream())
                        .mapToLong(Integer::longValue)
                        .toArray();
        optimizer.zeroGrad();
        Tensor logProbabilities = network.forward(Ops.stack(states, 0)).logSoftmax(1);
        Tensor chosen = logProbabilities.gather(1, Tensor.of(actions, actions.length, 1));
        chosen.reshape(actions.length).mul(advantages(episodes)).mean().neg().backward();
        optimizer.step();
    }

    /** {@return the advantage of each step: its return above the mean} */
    private static Tensor advantages(List<Episode> episodes) {
        double[] returns =
                episodes.stream()
                        .flatMapToDouble(episode -> Arrays.stream(episode.returns()))
                        .toArray();
        Tensor all = Tensor.of(returns);
        return all.sub(all.mean()).div(all.std().add(1e-6));
    }
}
