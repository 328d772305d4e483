package org.gradwire.backend.tensorpipe.driver;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.backend.tensorpipe.NativeOnly;
import org.gradwire.backend.tensorpipe.os.OperatingSystem;
import org.gradwire.backend.tensorpipe.os.ProcessIdentity;
import org.junit.jupiter.api.Test;

/** Names of clients, as in the labels of Aeron's counters. */
class ClientNameTest {
    private static final String LABEL = "client-heartbeat: id=7 name=%s version=1.51.0 commit=5ef";

    @Test
    void aClientInThisProcessLives() {
        String label = LABEL.formatted(ClientName.of("worker:1#2-3"));
        assertTrue(ClientName.isIn(label));
        assertFalse(ClientName.hasEnded(label));
    }

    @NativeOnly("start times in /proc")
    @Test
    void aClientWhoseProcessNumberIsAnothersByNowHasEnded() {
        ProcessIdentity self = ProcessIdentity.self();
        String name =
                "w#%s-%d-%d"
                        .formatted(
                                OperatingSystem.current().pidNamespace(),
                                self.pid(),
                                self.startTicks() - 1);
        assertTrue(ClientName.hasEnded(LABEL.formatted(name)));
    }

    @Test
    void ofAClientInAnotherPidNamespaceNothingIsKnown() {
        assertFalse(ClientName.hasEnded(LABEL.formatted("w#1-999999999-1")));
    }

    @Test
    void aClientWithoutANameIsNotTakenForEnded() {
        assertFalse(ClientName.isIn("client-heartbeat: id=7"));
        assertFalse(ClientName.hasEnded("client-heartbeat: id=7"));
    }

    @Test
    void theLongestNameOfAWorkerFits() {
        String name = ClientName.of("x".repeat(127));
        assertTrue(name.length() <= 100, name);
        assertTrue(ClientName.isIn(LABEL.formatted(name)));
    }
}
