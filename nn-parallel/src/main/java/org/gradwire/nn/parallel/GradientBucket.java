package org.gradwire.nn.parallel;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;

import java.util.ArrayList;
import java.util.List;

/**
 * Gradients that are averaged together: those of some parameters, of one type and device, in
 * sequence in one tensor. The counterpart of PyTorch's {@code GradBucket}.
 */
public final class GradientBucket {
    private final int index;
    private final boolean isLast;
    private final List<Tensor> parameters;
    private final Tensor gradients;

    GradientBucket(int index, boolean isLast, List<Tensor> parameters) {
        this.index = index;
        this.isLast = isLast;
        this.parameters = parameters;
        DType dtype = parameters.getFirst().dtype();
        Device device = parameters.getFirst().device();
        int length = parameters.stream().mapToInt(Tensor::numel).reduce(0, Math::addExact);
        this.gradients = TensorScope.outside(() -> Tensor.zeros(dtype, device, length));
    }

    /** {@return the position in the order in which buckets are averaged, from 0} */
    public int index() {
        return index;
    }

    /** {@return whether it is the last bucket of a backward pass} */
    public boolean isLast() {
        return isLast;
    }

    /** {@return the parameters, in the order of their gradients} */
    public List<Tensor> parameters() {
        return parameters;
    }

    /** {@return the gradients of this member, of one dimension; overwritten by the next pass} */
    public Tensor gradients() {
        return gradients;
    }

    /**
     * {@return views of a tensor of the shape of {@link #gradients}, one for each parameter, of its
     * shape}
     */
    public List<Tensor> split(Tensor flat) {
        List<Tensor> views = new ArrayList<>(parameters.size());
        int start = 0;
        for (Tensor parameter : parameters) {
            views.add(flat.narrow(0, start, parameter.numel()).view(parameter.shape()));
            start += parameter.numel();
        }
        return views;
    }

    /** {@return as in {@code GradientBucket(0, 4 parameters, 1234 elements)}} */
    @Override
    public String toString() {
        return "GradientBucket(%d, %d parameters, %d elements)"
                .formatted(index, parameters.size(), gradients.numel());
    }
}
