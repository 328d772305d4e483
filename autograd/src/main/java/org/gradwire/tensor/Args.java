package org.gradwire.tensor;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The arguments of an operator, one for each parameter of its schema. */
final class Args {
    private final @Nullable Object[] values;

    Args(@Nullable Object[] values) {
        this.values = values;
    }

    @Nullable Object[] values() {
        return values;
    }

    Tensor tensor(int index) {
        return (Tensor) present(index);
    }

    @Nullable Tensor optionalTensor(int index) {
        return (Tensor) values[index];
    }

    @SuppressWarnings("unchecked") // the schema says so, and the row has checked it
    List<Tensor> tensors(int index) {
        return (List<Tensor>) present(index);
    }

    Number number(int index) {
        return (Number) present(index);
    }

    @Nullable Number optionalNumber(int index) {
        return (Number) values[index];
    }

    @Nullable Integer optionalInteger(int index) {
        return (Integer) values[index];
    }

    int integer(int index) {
        return (Integer) present(index);
    }

    double real(int index) {
        return (Double) present(index);
    }

    int[] integers(int index) {
        return (int[]) present(index);
    }

    boolean flag(int index) {
        return (Boolean) present(index);
    }

    String text(int index) {
        return (String) present(index);
    }

    DType dtype(int index) {
        return (DType) present(index);
    }

    private Object present(int index) {
        Object value = values[index];
        if (value == null) {
            throw new IllegalArgumentException("argument " + index + " must not be null");
        }
        return value;
    }
}
