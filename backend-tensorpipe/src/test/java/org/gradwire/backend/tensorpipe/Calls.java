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

/** Helpers for tests of agents. */
public final class Calls {
    static final int KIB = 1024;
    static final int MIB = 1024 * KIB;

    private Calls() {}

    /** {@return the settings for each transport} */
    static Stream<Way> ways() {
        return Arrays.stream(Way.values());
    }

    /** The transports to a peer. */
    public enum Way {
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

        @SuppressWarnings("ImmutableEnumChecker") // never modified
        private final String[] settings;

        Way(String... settings) {
            this.settings = settings;
        }

        public Map<String, String> settings() {
            var map = new java.util.HashMap<String, String>(Map.of("driver", "embedded"));
            for (int i = 0; i < settings.length; i += 2) {
                map.put(settings[i], settings[i + 1]);
            }
            return map;
        }
    }

    public static Message get(CompletableFuture<Message> reply) throws Exception {
        return reply.get(60, TimeUnit.SECONDS);
    }

    /** {@return the failure of a call} */
    public static <T extends Throwable> T failure(Class<T> type, CompletableFuture<?> reply) {
        var thrown = assertThrows(ExecutionException.class, () -> reply.get(30, TimeUnit.SECONDS));
        return assertInstanceOf(type, thrown.getCause());
    }

    public static String text(Throwable failure) {
        return String.valueOf(failure.getMessage());
    }

    /** Fill memory with numbers that encode their positions. */
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
