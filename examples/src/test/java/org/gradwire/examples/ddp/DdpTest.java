package org.gradwire.examples.ddp;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.examples.Workers;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.regex.Pattern;

class DdpTest {

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void replicasTrainAsOneProcessDoes(int trainers) throws Exception {
        String printed = Workers.print(trainers, rpc -> assertTrue(Ddp.run(rpc)));
        assertTrue(printed.contains("0.00e+00 of the parameters at the end (equal)"), printed);
        List<Double> losses =
                Pattern.compile("loss ([0-9.]+) over the workers")
                        .matcher(printed)
                        .results()
                        .map(found -> Double.valueOf(found.group(1)))
                        .toList();
        assertTrue(losses.getLast() < losses.getFirst() / 2, "losses " + losses);
        assertTrue(printed.contains(trainers + " trainers average 4547 gradients"), printed);
    }
}
