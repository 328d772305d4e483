package org.gradwire.examples.hybrid;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The result of a trainer's part of a batch.
 *
 * @param loss mean loss
 * @param gradients of the dense parameters, in their order
 */
@WireValue
public record Share(double loss, List<Tensor> gradients) {

    /** {@return the result of the whole batch, the mean of equal parts} */
    static Share average(Collection<Share> shares) {
        double loss = shares.stream().mapToDouble(Share::loss).average().orElseThrow();
        List<Tensor> means = new ArrayList<>();
        for (int i = 0; i < shares.iterator().next().gradients.size(); i++) {
            int number = i;
            means.add(
                    shares.stream()
                            .map(share -> share.gradients.get(number))
                            .reduce(Tensor::add)
                            .orElseThrow()
                            .div(shares.size()));
        }
        return new Share(loss, means);
    }
}
