package org.gradwire.tensor.operator.library;

import org.gradwire.tensor.Index;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.dispatch.OperatorHandle;
import org.gradwire.tensor.operator.Args;
import org.gradwire.tensor.rule.DropoutRules;
import org.gradwire.tensor.rule.SamplingRules;
import org.gradwire.tensor.rule.Subscript;
import org.gradwire.tensor.text.SparsePrinter;
import org.gradwire.tensor.text.TensorPrinter;

import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * The functions of tensors that are found by name as rows are, but that no remote caller can call:
 * subscripts and random generators do not travel, and a text is not a tensor.
 */
final class LocalFunctions {
    static final Map<String, OperatorHandle> BY_NAME =
            Map.of(
                    "gradwire::at",
                    args -> at(new Args(args)),
                    "gradwire::index_put",
                    args -> indexPut(new Args(args)),
                    "gradwire::bernoulli",
                    args -> bernoulli(new Args(args)),
                    "gradwire::multinomial",
                    args -> multinomial(new Args(args)),
                    "gradwire::dropout",
                    args -> dropout(new Args(args)),
                    "gradwire::print",
                    args -> print(new Args(args)));

    private LocalFunctions() {}

    private static Tensor at(Args args) {
        return Subscript.apply(args.tensor(0), args.value(1, Index[].class));
    }

    private static Tensor indexPut(Args args) {
        return Subscript.put(args.tensor(0), args.tensor(1), args.value(2, Index[].class));
    }

    private static Tensor bernoulli(Args args) {
        return SamplingRules.bernoulli(args.tensor(0), args.value(1, RandomGenerator.class));
    }

    private static Tensor multinomial(Args args) {
        return SamplingRules.multinomial(
                args.tensor(0),
                args.value(1, RandomGenerator.class),
                args.integer(2),
                args.flag(3));
    }

    private static Tensor dropout(Args args) {
        return DropoutRules.dropout(
                args.tensor(0), args.real(1), args.flag(2), args.value(3, RandomGenerator.class));
    }

    private static String print(Args args) {
        Tensor tensor = args.tensor(0);
        return tensor.isSparse() ? SparsePrinter.print(tensor) : TensorPrinter.print(tensor);
    }
}
