package org.gradwire.examples.hybrid;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.examples.Workers;
import org.gradwire.examples.hybrid.Samples.Batch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;

class HybridTest {

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void severalTrainersDoWhatOneProcessDoes(int trainers) throws Exception {
        String printed = Workers.print(trainers + 1, rpc -> assertTrue(Hybrid.run(rpc)));
        assertTrue(printed.contains("of the parameters at the end (equal)"), printed);
        assertTrue(printed.contains("trainers at the end: the same to the bit"), printed);
        List<Double> losses =
                Pattern.compile("loss ([0-9.]+) over the workers")
                        .matcher(printed)
                        .results()
                        .map(found -> Double.valueOf(found.group(1)))
                        .toList();
        assertTrue(losses.getLast() < losses.getFirst() / 2, "losses " + losses);
        var rows = Pattern.compile("first step holds (\\d+) of its (\\d+) rows").matcher(printed);
        assertTrue(rows.find(), printed);
        int held = Integer.parseInt(rows.group(1));
        assertTrue(0 < held && held < Integer.parseInt(rows.group(2)), rows.group());
    }

    @Test
    void partsMakeTheWholeBatch() {
        Batch whole = Samples.batch(new SplittableRandom(3), 6);
        for (int part = 0; part < 3; part++) {
            Batch some = whole.part(part, 3);
            assertArrayEquals(
                    whole.items().slice(0, 2 * part, 2 * part + 2).toLongArray(),
                    some.items().toLongArray());
            assertArrayEquals(
                    whole.labels().slice(0, 2 * part, 2 * part + 2).toLongArray(),
                    some.labels().toLongArray());
        }
    }

    @Test
    void twoWorkersAreTooFew() {
        var failure = assertThrows(ExecutionException.class, () -> Workers.print(2, Hybrid::run));
        assertEquals(
                "java.lang.IllegalArgumentException: there must be at least 2 trainers and a server, which makes 3 workers, but there are 2; use --workers",
                failure.getMessage());
    }
}
