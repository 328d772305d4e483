package com.example.socket.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.conformance.functions.CallFunctions;
import org.gradwire.conformance.harness.Rank;
import org.gradwire.conformance.harness.ThreadWorld;
import org.gradwire.rpc.RpcConnectionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Tests the open port, to which anyone can connect. */
@Tag("quick")
class DoorTest {
    private static final long SEED = 20_261_122L;
    private static final int STRANGERS = 200;
    private static final int MOST_AT_A_TIME = 64;
    private static final long PATIENCE_NANOS = 30_000_000_000L;
    private static final byte[] MAGIC = {'G', 'W', 'S', 'K', 0, 0, 0, 1};

    private static ThreadWorld world() {
        return ThreadWorld.of(SocketBackend.declared(), 2);
    }

    private static int figure(Rank self, String key) {
        return Integer.parseInt(String.valueOf(self.rpc().debugInfo().get("socket." + key)));
    }

    private static void awaitRefusals(Rank self, int count) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (figure(self, "visitors_refused") < count) {
            assertTrue(
                    System.nanoTime() < deadline,
                    () ->
                            "only %d of %d clients were rejected (seed %d)"
                                    .formatted(figure(self, "visitors_refused"), count, SEED));
            Thread.onSpinWait();
        }
    }

    private static void callBothWays(Rank self) {
        assertEquals(49, self.rpc().rpcSync("worker1", CallFunctions::square, 7));
        assertEquals(49, self.rpc().rpcSync("worker0", CallFunctions::square, 7));
    }

    @Test
    void rubbishIsTurnedAwayAndTheWorkerGoesOn() {
        world().runOnRank0(self -> {
            var random = new Random(SEED);
            for (int i = 0; i < STRANGERS; i++) {
                byte[] rubbish = new byte[random.nextInt(10_000)];
                random.nextBytes(rubbish);
                if (i % 2 == 0) {
                    knock(
                            self,
                            ByteBuffer.wrap(rubbish).put(MAGIC, 0, Math.min(rubbish.length, 8)));
                } else {
                    knock(self, ByteBuffer.wrap(rubbish));
                }
            }
            callBothWays(self);
            awaitRefusals(self, STRANGERS);
            assertEquals(1, figure(self, "visits"));
        });
    }

    private static void knock(Rank self, ByteBuffer rubbish) throws IOException {
        try (Socket stranger = dial(self)) {
            stranger.getOutputStream().write(rubbish.array());
        } catch (IOException _) {
            // it was rejected while it was writing
        }
    }

    private static Socket dial(Rank self) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), figure(self, "port"));
    }

    @Test
    void strangersWhoSayNothingDoNotKeepTheWorkerFromItsPeers() {
        world().runOnRank0(self -> {
            List<Socket> silent = new ArrayList<>();
            try {
                for (int i = 0; i < STRANGERS; i++) {
                    silent.add(dial(self));
                }
                awaitRefusals(self, STRANGERS - MOST_AT_A_TIME);
                callBothWays(self);
            } finally {
                for (Socket socket : silent) {
                    socket.close();
                }
            }
        });
    }

    @Test
    void aWorkerWithAnotherTokenIsRefused() {
        var failure =
                assertThrows(
                        RpcConnectionException.class,
                        () ->
                                world().with(
                                                0,
                                                "gradwire.authentication-token",
                                                "the one token of all")
                                        .with(
                                                1,
                                                "gradwire.authentication-token",
                                                "another token than all")
                                        .run(DoorTest::callBothWays));
        assertTrue(
                failure.getMessage().contains("gradwire.authentication-token"),
                failure.getMessage());
    }
}
