package org.gradwire.nn.transformer;

import org.gradwire.nn.Init;
import org.gradwire.nn.Linear;
import org.gradwire.nn.internal.ConfigurationConstructors;
import org.gradwire.nn.internal.ParameterTensors;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.random.RandomGenerator;

/** The projections of queries, keys, values and outputs, under PyTorch's names. */
final class AttentionProjections {
    private final int embedDim;
    private final @Nullable Tensor together; // packed, where all three have the same size
    private final List<Tensor> apart;
    private final @Nullable Tensor bias;
    private final Linear output;

    /** Register the parameters with the owning module. */
    AttentionProjections(MultiheadAttention owner, MultiheadAttention.Configuration options) {
        int e = options.embedDim();
        embedDim = e;
        if (options.sameDims()) {
            together =
                    owner.registerParameter(
                            "in_proj_weight",
                            ParameterTensors.unset(ParameterTensors.rows(3, e), e));
            apart = List.of();
        } else {
            together = null;
            apart =
                    List.of(
                            owner.registerParameter("q_proj_weight", ParameterTensors.unset(e, e)),
                            owner.registerParameter(
                                    "k_proj_weight", ParameterTensors.unset(e, options.kdim())),
                            owner.registerParameter(
                                    "v_proj_weight", ParameterTensors.unset(e, options.vdim())));
        }
        bias =
                options.bias()
                        ? owner.registerParameter(
                                "in_proj_bias", ParameterTensors.unset(ParameterTensors.rows(3, e)))
                        : null;
        output =
                owner.registerModule(
                        "out_proj",
                        ConfigurationConstructors.create(
                                Linear.class, new Linear.Configuration(e, e, options.bias())));
    }

    void reset(RandomGenerator random) {
        if (together != null) {
            Init.xavierUniform_(together, 1, random);
        }
        apart.forEach(weight -> Init.xavierUniform_(weight, 1, random));
        output.resetParameters(random);
        if (bias != null) {
            Init.zeros_(bias);
            Init.zeros_(output.bias());
        }
    }

    Tensor query(Tensor input) {
        return map(input, 0);
    }

    Tensor key(Tensor input) {
        return map(input, 1);
    }

    Tensor value(Tensor input) {
        return map(input, 2);
    }

    private Tensor map(Tensor input, int which) {
        Tensor weight = together != null ? part(together, which) : apart.get(which);
        return Ops.linear(input, weight, bias == null ? null : part(bias, which));
    }

    private Tensor part(Tensor all, int which) {
        return all.narrow(0, which * embedDim, embedDim);
    }

    Tensor output(Tensor input) {
        return output.forward(input);
    }
}
