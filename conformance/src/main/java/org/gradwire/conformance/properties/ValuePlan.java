package org.gradwire.conformance.properties;

import org.gradwire.conformance.harness.WorkerGroup;
import org.gradwire.conformance.properties.functions.PropertyFunctions;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Describes how to build a value that is sent. */
public sealed interface ValuePlan {

    /** Build the value, for worker 0 to send. */
    Object build(WorkerGroup group);

    /** A value of the JDK. */
    record Plain(Object value) implements ValuePlan {
        @Override
        public Object build(WorkerGroup group) {
            return value;
        }
    }

    /** The memory layout of a tensor. */
    enum Layout {
        CONTIGUOUS,
        TRANSPOSED,
        EXPANDED,
        NARROWED,
        SPARSE,
        COALESCED
    }

    /** A tensor. */
    record TensorPlan(
            Layout layout, DType type, List<Integer> shape, boolean requiresGrad, long seed)
            implements ValuePlan {
        @Override
        public Object build(WorkerGroup group) {
            int[] sizes = shape.stream().mapToInt(Integer::intValue).toArray();
            int count = shape.stream().reduce(1, (a, b) -> a * b);
            long[] numbers = new SplittableRandom(seed).longs(count, -1000, 1000).toArray();
            Tensor tensor = laidOut(Tensor.of(numbers, sizes).to(type));
            return type.isFloating() ? tensor.requiresGrad(requiresGrad) : tensor;
        }

        private Tensor laidOut(Tensor tensor) {
            if (tensor.dim() == 0) {
                return tensor;
            }
            return switch (layout) {
                case CONTIGUOUS -> tensor;
                case TRANSPOSED -> tensor.transpose(0, tensor.dim() - 1);
                case EXPANDED -> {
                    int[] wider = new int[tensor.dim() + 1];
                    wider[0] = 3;
                    System.arraycopy(tensor.shape(), 0, wider, 1, tensor.dim());
                    yield tensor.unsqueeze(0).expand(wider);
                }
                case NARROWED ->
                        tensor.narrow(tensor.dim() - 1, 0, (tensor.size(tensor.dim() - 1) + 1) / 2);
                case SPARSE -> {
                    Tensor held = tensor.toSparse(1 + (int) (seed & 1) % tensor.dim());
                    yield Tensor.sparseCoo(held.heldIndices(), held.heldValues(), tensor.shape());
                }
                case COALESCED -> tensor.toSparse();
            };
        }
    }

    /** A reference to a tensor of a worker. */
    record Reference(int owner) implements ValuePlan {
        @Override
        public Object build(WorkerGroup group) {
            Rpc rpc = group.rpc(0);
            return owner == 0
                    ? rpc.rref(Tensor.ones(2))
                    : rpc.remote("worker" + owner, Ops::add, Tensor.ones(2), Tensor.ones(2));
        }
    }

    /** A list of values. */
    record ListPlan(List<ValuePlan> elements) implements ValuePlan {
        @Override
        public Object build(WorkerGroup group) {
            return elements.stream().map(element -> element.build(group)).toList();
        }
    }

    /** A map from numbers to values. */
    record MapPlan(List<ValuePlan> elements) implements ValuePlan {
        @Override
        public Object build(WorkerGroup group) {
            Map<Object, Object> map = new LinkedHashMap<>();
            for (ValuePlan element : elements) {
                map.put(map.size(), element.build(group));
            }
            return map;
        }
    }

    /** A record of two values. */
    record PairPlan(ValuePlan left, ValuePlan right) implements ValuePlan {
        @Override
        public Object build(WorkerGroup group) {
            return new PropertyFunctions.Pair(
                    left.build(group), new ArrayList<>(List.of(right.build(group))));
        }
    }
}
