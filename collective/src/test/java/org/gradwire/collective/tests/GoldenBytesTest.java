package org.gradwire.collective.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.gradwire.collective.ReduceOp;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The bytes of the messages of collective operations are those of parts A7 and B8 of the protocol.
 */
@Timeout(60)
class GoldenBytesTest {
    private static final String LIGHT = "00";

    /** SHA-256 of the name, the count 1 and the ids 0 and 1 begins with 0fec86b2617fbc54. */
    private static final String GROUP = "a7" + "54bc7f61b286ec0f";

    private static final String IDENTITY = "0167" + "01" + "02" + "00" + "01"; // "g", 1, [0, 1]
    private static final String STEP_0 = "00";
    private static final String NONE = "00"; // no reduction, root, types, line, or tensors

    /** A value with the codec {@code tensor}. */
    private static final String TENSOR = "14" + "0674656e736f72";

    /** Inline elements of float32, without a gradient, of two elements, contiguous. */
    private static final String ONE_AND_TWO =
            TENSOR + "a50104" + "00" + "01" + "02" + "01" + "02" + "0000803f" + "00000040";

    private static final String FIVE =
            TENSOR + "a50304" + "00" + "01" + "01" + "01" + "01" + "05"; // int64

    private static final String FALSE =
            TENSOR + "a50504" + "00" + "01" + "01" + "01" + "01" + "00"; // bool

    /** Four elements, one sparse dimension, one column, coalesced. */
    private static final String SPARSE =
            TENSOR + "a50101" + "00" + "01" + "04" + "01" + "01" + "01";

    private static final List<String> REQUESTS =
            List.of(
                    request("01" + IDENTITY, "01" + "02" + NONE, "01" + "010202" + NONE)
                            + ("01" + ONE_AND_TWO),
                    request("02", "02" + NONE + "01", "03" + "010201" + "030201" + "010201" + NONE)
                            + ("02" + ONE_AND_TWO + FIVE),
                    request("03", "01" + "01" + NONE, "01" + "a50101" + "02" + "04" + "01" + NONE)
                            + ("01" + SPARSE + " 0100000000000000" + " 00004040"),
                    request("04", "05" + NONE + NONE, NONE + NONE) + NONE,
                    request("01" + IDENTITY, "0a" + NONE + NONE, NONE + NONE) + ("01" + FALSE),
                    "COLLECTIVE_END_REQ "
                            + (LIGHT + GROUP + "02" + "06") // closed, shut down
                            + ("20" + hex("the group g is closed on worker0")));

    /** {@return a request to its tensors: operation, reduction and root, types and line} */
    private static String request(String number, String operation, String types) {
        return "COLLECTIVE_REQ " + LIGHT + GROUP + number + STEP_0 + operation + types;
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void bytesAreThoseOfTheDocument() {
        List<Workers.Member<Object>> program =
                List.of(
                        g -> g.allReduce(Tensor.of(1f, 2f), ReduceOp.MEAN),
                        g -> g.broadcast(List.of(Tensor.of(1f), Tensor.of(5L), Tensor.of(2f)), 0),
                        g ->
                                g.allReduce(
                                        Tensor.sparseCoo(
                                                Tensor.of(new long[][] {{1}}), Tensor.of(3f), 4),
                                        ReduceOp.SUM),
                        g -> {
                            g.barrier();
                            return true;
                        },
                        g -> {
                            if (g.rank() == 0) {
                                g.sendTo(Tensor.zeros(DType.BOOL, 1), 1);
                            } else {
                                g.receiveFrom(0);
                            }
                            return true;
                        });
        try (Workers workers = new Workers(2, RecordingBackend.NAME, Map.of())) {
            RecordingBackend.REQUESTS.clear();
            workers.run(
                    "g",
                    group -> {
                        program.forEach(step -> step.run(group));
                        return true;
                    });
        }
        assertEquals(REQUESTS, RecordingBackend.REQUESTS);
        Set<String> replies = Set.copyOf(RecordingBackend.REPLIES);
        assertEquals(Set.of("COLLECTIVE_ACK " + LIGHT), replies);
    }
}
