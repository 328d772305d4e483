package org.gradwire.fuzz;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** No input of the committed corpus shows an error, without a fuzzer. */
class CorpusTest {

    @ParameterizedTest
    @EnumSource
    void noInputShowsAnError(FuzzTarget target) throws Throwable {
        for (byte[] seed : target.seeds()) {
            target.run(seed);
        }
        List<Path> inputs = Fuzzer.files(Path.of("corpus").resolve(target.id()));
        for (Path input : inputs) {
            try {
                target.run(Files.readAllBytes(input));
            } catch (Throwable e) {
                throw new AssertionError(input + " shows an error", e);
            }
        }
        if (inputs.isEmpty()) {
            throw new AssertionError(target.id() + " has no corpus");
        }
    }
}
