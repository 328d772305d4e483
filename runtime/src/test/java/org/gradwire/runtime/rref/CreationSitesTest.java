package org.gradwire.runtime.rref;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RRef;
import org.gradwire.spi.Worker;
import org.junit.jupiter.api.Test;

import java.util.List;

/** The recognition of the program's classes, whose lines reports name. */
class CreationSitesTest {

    @Test
    void neitherTheJdkNorGradwireIsTheProgram() {
        for (Class<?> type :
                List.of(
                        String.class,
                        RRef.class,
                        Worker.class,
                        CreationSites.class,
                        RRefContext.Received.class)) {
            assertFalse(CreationSites.isOfProgram(type), type::getName);
        }
    }

    @Test
    void whateverElseThereIsMayBe() {
        assertTrue(CreationSites.isOfProgram(Test.class));
    }

    @Test
    void nothingIsKeptUnlessAsked() {
        assertNull(new CreationSites(false).here());
    }
}
