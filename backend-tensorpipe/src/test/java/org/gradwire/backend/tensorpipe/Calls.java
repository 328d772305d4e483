package org.gradwire.backend.tensorpipe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.gradwire.spi.Message;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What the tests of agents have in common. */
final class Calls {
    static final int KIB = 1024;
    static final int MIB = 1024 * KIB;

    private Calls() {}

    /** {@return the settings of each way to a peer} */
    static Stream<Way> ways() {
        return Arrays.stream(Way.values());
    }

    /** The ways to a peer. */
    enum Way {
        SHARED_MEMORY,
        SHARED_MEMORY_IN_CHUNKS("single-copy", "off"),
        SMALL_TERMS("single-copy", "off", "term-length", "64k"),
        UDP("single-copy", "off", "transport", "udp", "host", "127.0.0.1", "tcp", "off"),
        UDP_LARGE_DATAGRAMS(
                "single-copy",
                "off",
                "transport",
                "udp",
                "host",
                "127.0.0.1",
                "tcp",
                "off",
                "mtu",
                "8k"),
        UDP_AND_TCP("single-copy", "off", "transport", "udp", "host", "127.0.0.1");

        @SuppressWarnings("ImmutableEnumChecker") // never changed
        private final String[] settings;

        Way(String... settings) {
            this.settings = settings;
        }

        Map<String, String> settings() {
            var map = new java.util.HashMap<String, String>(Map.of("driver", "embedded"));
            for (int i = 0; i < settings.length; i += 2) {
                map.put(settings[i], settings[i + 1]);
            }
            return map;
        }
    }

    static Message get(CompletableFuture<Message> reply) throws Exception {
        return reply.get(60, TimeUnit.SECONDS);
    }

    /** {@return the failure with which a call ends} */
    static <T extends Throwable> T failure(Class<T> type, CompletableFuture<?> reply) {
        var thrown = assertThrows(ExecutionException.class, () -> reply.get(30, TimeUnit.SECONDS));
        return assertInstanceOf(type, thrown.getCause());
    }

    static String text(Throwable failure) {
        return String.valueOf(failure.getMessage());
    }

    /** Fill memory with numbers that tell where they belong. */
    static MemorySegment patterned(MemorySegment memory) {
        for (long at = 0; at + 4 <= memory.byteSize(); at += 4) {
            memory.set(ValueLayout.JAVA_INT_UNALIGNED, at, (int) at * 31 + 7);
        }
        return memory;
    }

    static void assertSame(MemorySegment expected, MemorySegment found) {
        assertEquals(expected.byteSize(), found.byteSize());
        assertEquals(-1, expected.mismatch(found), "first different byte");
    }
}
