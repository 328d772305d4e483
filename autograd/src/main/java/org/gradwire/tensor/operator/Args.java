package org.gradwire.tensor.operator;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.List;

/** The arguments of an operator, one for each parameter of its schema. */
public final class Args {
    private final @Nullable Object[] values;

    public Args(@Nullable Object[] values) {
        this.values = values;
    }

    public @Nullable Object[] values() {
        return values;
    }

    public Tensor tensor(int index) {
        return (Tensor) present(index);
    }

    public @Nullable Tensor optionalTensor(int index) {
        return (Tensor) values[index];
    }

    @SuppressWarnings("unchecked") // the schema says so, and the row has checked it
    List<Tensor> tensors(int index) {
        return (List<Tensor>) present(index);
    }

    public Number number(int index) {
        return (Number) present(index);
    }

    @Nullable Number optionalNumber(int index) {
        return (Number) values[index];
    }

    public @Nullable Integer optionalInteger(int index) {
        return (Integer) values[index];
    }

    public int integer(int index) {
        return (Integer) present(index);
    }

    public double real(int index) {
        return (Double) present(index);
    }

    public int[] integers(int index) {
        return (int[]) present(index);
    }

    public boolean flag(int index) {
        return (Boolean) present(index);
    }

    public String text(int index) {
        return (String) present(index);
    }

    DType dtype(int index) {
        return (DType) present(index);
    }

    /** {@return an argument of a type that no schema has} */
    public <T> T value(int index, Class<T> type) {
        return type.cast(present(index));
    }

    private Object present(int index) {
        Object value = values[index];
        if (value == null) {
            throw new IllegalArgumentException("argument " + index + " must not be null");
        }
        return value;
    }
}
