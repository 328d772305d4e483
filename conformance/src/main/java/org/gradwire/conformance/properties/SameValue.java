package org.gradwire.conformance.properties;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.conformance.properties.functions.PropertyFunctions;
import org.gradwire.conformance.properties.functions.PropertyFunctions.Pair;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Compares a value with its copy after a round trip, and closes the references in both. */
final class SameValue {
    private final Rpc rpc;

    SameValue(Rpc rpc) {
        this.rpc = rpc;
    }

    void check(@Nullable Object sent, @Nullable Object got) {
        switch (sent) {
            case Tensor a when got instanceof Tensor b -> check(a, b);
            case RRef<?> a when got instanceof RRef<?> b -> check(a, b);
            case List<?> a when got instanceof List<?> b -> {
                assertEquals(a.size(), b.size());
                for (int i = 0; i < a.size(); i++) {
                    check(a.get(i), b.get(i));
                }
            }
            case Map<?, ?> a when got instanceof Map<?, ?> b -> {
                assertEquals(a.keySet(), b.keySet());
                a.forEach((key, value) -> check(value, b.get(key)));
            }
            case Pair a when got instanceof Pair b -> {
                check(a.left(), b.left());
                check(a.right(), b.right());
            }
            case null, default -> assertEquals(sent, got);
        }
    }

    private static void check(Tensor sent, Tensor got) {
        assertTrue(sent.equal(got), () -> "sent " + sent + ", got " + got);
        assertEquals(sent.dtype(), got.dtype());
        assertEquals(sent.requiresGrad(), got.requiresGrad());
        assertEquals(sent.layout(), got.layout());
        if (sent.isSparse()) {
            assertEquals(sent.isCoalesced(), got.isCoalesced());
            assertTrue(sent.heldIndices().equal(got.heldIndices()), got::toString);
            assertTrue(sent.heldValues().equal(got.heldValues()), got::toString);
        } else {
            assertEquals(order(sent), order(got), "the order of the elements in memory");
        }
    }

    /**
     * {@return how the strides of each pair of dimensions compare, and which are zero} A transfer
     * preserves the order of elements, not gaps between them.
     */
    private static List<Integer> order(Tensor tensor) {
        List<Integer> order = new ArrayList<>();
        int[] strides = tensor.strides();
        for (int i = 0; i < strides.length; i++) {
            if (tensor.size(i) < 2) {
                continue; // its stride has no meaning
            }
            order.add(Integer.signum(strides[i]));
            for (int j = i + 1; j < strides.length; j++) {
                if (tensor.size(j) > 1) {
                    order.add(Integer.compare(strides[i], strides[j]));
                }
            }
        }
        return order;
    }

    @SuppressWarnings("unchecked") // created by ValuePlan.Reference
    private void check(RRef<?> sent, RRef<?> got) {
        assertEquals(sent.owner(), got.owner());
        assertTrue(
                rpc.rpcSync(
                        sent.owner().name(),
                        PropertyFunctions::sameLocalValue,
                        (RRef<Tensor>) sent,
                        (RRef<Tensor>) got));
        sent.close();
        got.close();
    }
}
