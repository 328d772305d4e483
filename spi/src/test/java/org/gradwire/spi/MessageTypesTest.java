package org.gradwire.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The numbers of messages are those of the specification, each with its name and its flag. */
class MessageTypesTest {
    private static final int TYPES = 48;

    private static Map<String, Integer> declared() throws IllegalAccessException {
        Map<String, Integer> types = new TreeMap<>();
        for (Field field : MessageTypes.class.getFields()) {
            assertTrue(Modifier.isStatic(field.getModifiers()));
            types.put(field.getName(), field.getInt(null));
        }
        assertEquals(TYPES, types.size());
        return types;
    }

    @Test
    void eachTypeHasItsOwnNumberItsNameAndOneFlag() throws Exception {
        Map<String, Integer> types = declared();
        assertEquals(TYPES, types.values().stream().distinct().count());
        types.forEach((name, type) -> {
            assertEquals(name, MessageTypes.name(type));
            assertNotEquals(MessageTypes.isRequest(type), MessageTypes.isReply(type), name);
            boolean reply =
                    name.endsWith("_RET")
                            || name.endsWith("_RESP")
                            || name.endsWith("_ACK")
                            || name.equals("EXCEPTION");
            assertEquals(reply, MessageTypes.isReply(type), name);
            assertEquals(!reply, MessageTypes.requests().contains(type), name);
        });
    }

    @Test
    void theNumbersAreThoseOfTheSpecification() {
        int[] specified = {
            0x100, 0x201, 0x102, 0x203, 0x104, 0x105, 0x206, 0x107, 0x108, 0x209, 0x20a, 0x10b,
            0x10c, 0x10d, 0x20e, 0x10f, 0x210, 0x111, 0x212, 0x113, 0x214, 0x115, 0x216, 0x117,
            0x218, 0x237
        };
        assertTrue(
                Arrays.stream(specified)
                        .noneMatch(type -> MessageTypes.name(type).startsWith("0x")));
        assertEquals("SCRIPT_CALL", MessageTypes.name(0x100));
        assertEquals("RREF_CHILD_ACCEPT", MessageTypes.name(0x10d));
        assertEquals("CLEANUP_AUTOGRAD_CONTEXT_REQ", MessageTypes.name(0x113));
        assertEquals("EXCEPTION", MessageTypes.name(0x237));
    }

    @Test
    void headersThatAReceiverMayPassOverHaveARangeOfTheirOwn() throws Exception {
        for (int type : new int[] {0x1e0, 0x1ef, 0x1ff, 0x2e0, 0x2ff}) {
            assertTrue(MessageTypes.isOptionalHeader(type), MessageTypes.name(type));
        }
        for (int type : new int[] {0xe0, 0x1c0, 0x1df, 0x2c0, 0x2df, 0x3e0, 0x5e0, -32}) {
            assertFalse(MessageTypes.isOptionalHeader(type), MessageTypes.name(type));
        }
        assertEquals(
                Map.of("TRACE_CONTEXT_REQ", 0x1f0, "TRACE_CONTEXT_RESP", 0x2f0),
                declared().entrySet().stream()
                        .filter(type -> MessageTypes.isOptionalHeader(type.getValue()))
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }

    @Test
    void anotherTypeIsNamedByItsNumberAndMayBeNeitherRequestNorReply() {
        assertFalse(MessageTypes.requests().contains(0x1c5));
        assertEquals("0x1c5", MessageTypes.name(0x1c5));
        assertTrue(MessageTypes.isRequest(0x1c5));
        assertTrue(MessageTypes.isReply(0x2c5));
        assertFalse(MessageTypes.isRequest(0x3c) || MessageTypes.isReply(0x3c), "UNKNOWN");
        assertFalse(MessageTypes.isRequest(0x300) || MessageTypes.isReply(0x300), "both flags");
    }
}
