package org.gradwire.nn.recurrent;

import org.gradwire.nn.Init;
import org.gradwire.nn.Module;
import org.gradwire.nn.internal.DropoutGenerators;
import org.gradwire.nn.internal.ParameterTensors;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;

/** The recurrence of RNN, LSTM and GRU over a sequence, for any {@link Cell}. */
final class Recurrence {
    private final Module owner;
    private final RecurrentConfiguration options;
    private final Cell cell;
    private final List<Weights> weights = new ArrayList<>(); // layers, in each its directions
    private final DropoutGenerators generators;

    /** The computation of one time step. */
    interface Cell {

        /** {@return the number of gates: vectors of the hidden size that the weights compute} */
        int gates();

        /** {@return the number of tensors of a state; the first is the output} */
        int states();

        /**
         * Compute the state after a step.
         *
         * @param input the projected input, {@code [n, gates * hidden]}
         * @param hidden the projected output of the previous step, of the same shape
         * @param before the previous state, each {@code [n, hidden]}
         */
        List<Tensor> step(Tensor input, Tensor hidden, List<Tensor> before);
    }

    private record Weights(
            Tensor input, Tensor hidden, @Nullable Tensor inputBias, @Nullable Tensor hiddenBias) {}

    /**
     * Register the parameters with the owning module, under PyTorch's names.
     *
     * @param seed the seed of dropout
     */
    Recurrence(Module owner, RecurrentConfiguration options, Cell cell, long seed) {
        this.owner = owner;
        this.options = options;
        this.cell = cell;
        this.generators = new DropoutGenerators(seed);
        for (int layer = 0; layer < options.numLayers(); layer++) {
            for (int direction = 0; direction < options.directions(); direction++) {
                weights.add(register(layer, "_l" + layer + (direction == 0 ? "" : "_reverse")));
            }
        }
    }

    private Weights register(int layer, String suffix) {
        int rows = ParameterTensors.rows(cell.gates(), options.hiddenSize());
        int columns =
                layer == 0
                        ? options.inputSize()
                        : ParameterTensors.rows(options.directions(), options.hiddenSize());
        return new Weights(
                owner.registerParameter(
                        "weight_ih" + suffix, ParameterTensors.unset(rows, columns)),
                owner.registerParameter(
                        "weight_hh" + suffix, ParameterTensors.unset(rows, options.hiddenSize())),
                bias("bias_ih" + suffix, rows),
                bias("bias_hh" + suffix, rows));
    }

    private @Nullable Tensor bias(String name, int rows) {
        return options.bias() ? owner.registerParameter(name, ParameterTensors.unset(rows)) : null;
    }

    RecurrentConfiguration options() {
        return options;
    }

    /** Initialize the parameters uniformly within plus and minus {@code 1 / sqrt(hiddenSize)}. */
    void reset(RandomGenerator random) {
        double bound = 1 / Math.sqrt(options.hiddenSize());
        owner.parameters().forEach(p -> Init.uniform_(p, -bound, bound, random));
    }

    /**
     * Process sequences.
     *
     * @param initial the initial state; empty for zeros
     * @return the outputs, then the final state
     */
    List<Tensor> run(Tensor input, List<Tensor> initial) {
        checkInput(input);
        boolean single = input.dim() == 2;
        int batchDim = options.batchFirst() && !single ? 0 : 1;
        Tensor batch = single ? input.unsqueeze(1) : input;
        Tensor sequence = batchDim == 0 ? batch.transpose(0, 1) : batch;
        List<Tensor> begin = begin(sequence, initial, single);
        List<Tensor> results = new ArrayList<>(layers(sequence, begin));
        if (batchDim == 0) {
            results.set(0, results.getFirst().transpose(0, 1));
        }
        return single ? results.stream().map(result -> result.squeeze(1)).toList() : results;
    }

    private void checkInput(Tensor input) {
        if (input.dim() != 2 && input.dim() != 3) {
            throw new IllegalArgumentException(
                    "%s: Expected input to be 2-D or 3-D but received %d-D tensor"
                            .formatted(owner.getClass().getSimpleName(), input.dim()));
        }
        if (input.size(-1) != options.inputSize()) {
            throw new IllegalArgumentException(
                    "input.size(-1) must be equal to inputSize. Expected %d, got %d"
                            .formatted(options.inputSize(), input.size(-1)));
        }
        if (input.size(options.batchFirst() && input.dim() == 3 ? 1 : 0) == 0) {
            throw new IllegalArgumentException("Expected sequence length to be larger than 0");
        }
    }

    /** {@return the initial state, each {@code [layers * directions, n, hidden]}} */
    private List<Tensor> begin(Tensor sequence, List<Tensor> initial, boolean single) {
        int[] shape = {weights.size(), sequence.size(1), options.hiddenSize()};
        if (initial.isEmpty()) {
            Tensor zeros = Tensor.zeros(sequence.dtype(), sequence.device(), shape);
            return Collections.nCopies(cell.states(), zeros);
        }
        int[] expected = single ? new int[] {shape[0], shape[2]} : shape;
        for (int i = 0; i < initial.size(); i++) {
            if (!Arrays.equals(initial.get(i).shape(), expected)) {
                throw new IllegalArgumentException(
                        "Expected hidden[%d] size %s, got %s"
                                .formatted(
                                        i,
                                        Arrays.toString(expected),
                                        Arrays.toString(initial.get(i).shape())));
            }
        }
        return single ? initial.stream().map(state -> state.unsqueeze(1)).toList() : initial;
    }

    private List<Tensor> layers(Tensor sequence, List<Tensor> begin) {
        Tensor current = sequence;
        List<List<Tensor>> ends = new ArrayList<>();
        int directions = options.directions();
        for (int layer = 0; layer < options.numLayers(); layer++) {
            if (layer > 0) {
                current = generators.dropout(current, options.dropout(), owner.isTraining());
            }
            List<Tensor> outputs = new ArrayList<>();
            for (int direction = 0; direction < directions; direction++) {
                int index = layer * directions + direction;
                List<Tensor> state = begin.stream().map(s -> s.select(0, index)).toList();
                outputs.add(steps(current, weights.get(index), state, direction == 1, ends));
            }
            current = directions == 1 ? outputs.getFirst() : Ops.cat(outputs, 2);
        }
        List<Tensor> results = new ArrayList<>(List.of(current));
        for (int i = 0; i < cell.states(); i++) {
            int state = i;
            results.add(Ops.stack(ends.stream().map(end -> end.get(state)).toList(), 0));
        }
        return results;
    }

    /** {@return the outputs of all steps, {@code [time, n, hidden]}} */
    private Tensor steps(
            Tensor sequence,
            Weights parameters,
            List<Tensor> begin,
            boolean reverse,
            List<List<Tensor>> ends) {
        List<Tensor> inputs =
                Ops.linear(sequence, parameters.input, parameters.inputBias).unbind(0);
        List<Tensor> state = begin;
        List<Tensor> outputs = new ArrayList<>();
        for (Tensor input : reverse ? inputs.reversed() : inputs) {
            Tensor hidden = Ops.linear(state.getFirst(), parameters.hidden, parameters.hiddenBias);
            state = cell.step(input, hidden, state);
            outputs.add(state.getFirst());
        }
        ends.add(state);
        return Ops.stack(reverse ? outputs.reversed() : outputs, 0);
    }
}
