package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcOptions;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** The token that a rendezvous at a non-loopback address requires. */
class RendezvousTokenTest {

    /** Collects the log records of a logger. */
    private static final class Log extends Handler {
        private final List<String> lines = new ArrayList<>();

        @Override
        public synchronized void publish(LogRecord record) {
            lines.add(record.getLevel() + " " + new SimpleFormatter().formatMessage(record));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    private static RpcOptions.Builder alone() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return RpcOptions.builder()
                    .rank(0)
                    .worldSize(1)
                    .backend("inproc")
                    .rendezvous("tcp://0.0.0.0:" + socket.getLocalPort());
        }
    }

    @Test
    void initRefusesAGroupWithoutAToken() throws Exception {
        RpcOptions options = alone().build();
        var failure = assertThrows(RpcConfigurationException.class, () -> Rpc.init(options));
        String text = failure.getMessage();
        for (String part :
                List.of(
                        "the rendezvous " + options.settings().get("gradwire.rendezvous"),
                        "gradwire.authentication-token-file=FILE",
                        "head -c 32 /dev/urandom",
                        "gradwire.insecure=true")) {
            assertTrue(text.contains(part), text);
        }
    }

    @Test
    void groupWithATokenForms() throws Exception {
        var options = alone().set("gradwire.authentication-token", "sixteen letters!").build();
        try (Rpc rpc = Rpc.init(options)) {
            assertEquals(1, rpc.workers().size());
        }
    }

    @Test
    void insecureGroupIsPermittedWithOneWarning() throws Exception {
        var log = new Log();
        Logger logger = Logger.getLogger("org.gradwire.config");
        logger.addHandler(log);
        RpcOptions options = alone().set("gradwire.insecure", "true").build();
        try {
            Rpc.init(options).close();
            Rpc.init(options).close();
        } finally {
            logger.removeHandler(log);
        }
        assertEquals(
                List.of(
                        "WARNING the group at %s has no token, as gradwire.insecure=true permits: every process that reaches it can join it and call its functions"
                                .formatted(options.settings().get("gradwire.rendezvous"))),
                log.lines);
    }

    @Test
    void debugInfoShowsNoToken() throws Exception {
        String token = "sixteen letters!";
        var options = alone().set("gradwire.authentication-token", token).build();
        try (Rpc rpc = Rpc.init(options)) {
            assertTrue(rpc.debugInfo().values().stream().noneMatch(text -> text.contains(token)));
        }
    }
}
