package org.gradwire.nn.recurrent;

import org.gradwire.tensor.Tensor;

import java.util.List;

/** The cells of recurrent layers, with gates in PyTorch's order. */
final class RecurrentCells {

    private RecurrentCells() {}

    /** Gates: input, forget, cell, output. */
    static final class LongShortTerm implements Recurrence.Cell {
        @Override
        public int gates() {
            return 4;
        }

        @Override
        public int states() {
            return 2;
        }

        @Override
        public List<Tensor> step(Tensor input, Tensor hidden, List<Tensor> before) {
            List<Tensor> gates = input.add(hidden).chunk(4, 1);
            Tensor kept = gates.get(1).sigmoid().mul(before.get(1));
            Tensor added = gates.getFirst().sigmoid().mul(gates.get(2).tanh());
            Tensor cell = kept.add(added);
            return List.of(gates.get(3).sigmoid().mul(cell.tanh()), cell);
        }
    }

    /** Gates: reset, update, new. */
    static final class Gated implements Recurrence.Cell {
        @Override
        public int gates() {
            return 3;
        }

        @Override
        public int states() {
            return 1;
        }

        @Override
        public List<Tensor> step(Tensor input, Tensor hidden, List<Tensor> before) {
            List<Tensor> in = input.chunk(3, 1);
            List<Tensor> out = hidden.chunk(3, 1);
            Tensor reset = in.getFirst().add(out.getFirst()).sigmoid();
            Tensor update = in.get(1).add(out.get(1)).sigmoid();
            Tensor fresh = in.get(2).add(reset.mul(out.get(2))).tanh();
            return List.of(fresh.add(update.mul(before.getFirst().sub(fresh))));
        }
    }

    /**
     * No gates.
     *
     * @param relu whether the function is ReLU, not the hyperbolic tangent
     */
    record Plain(boolean relu) implements Recurrence.Cell {
        @Override
        public int gates() {
            return 1;
        }

        @Override
        public int states() {
            return 1;
        }

        @Override
        public List<Tensor> step(Tensor input, Tensor hidden, List<Tensor> before) {
            Tensor sum = input.add(hidden);
            return List.of(relu ? sum.relu() : sum.tanh());
        }
    }
}
