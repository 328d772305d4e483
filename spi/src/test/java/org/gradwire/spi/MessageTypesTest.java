package org.gradwire.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The numbers of messages are those of the specification, each with its name and its flag. */
class MessageTypesTest {
    private static final int TYPES = 53;
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| ([A-Z_, ]+) \\| ([0-9A-F, ]+) \\|");

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
    void protocolListsEachTypeWithItsNumber() throws Exception {
        Map<String, Integer> listed = new TreeMap<>();
        Matcher rows = ROW.matcher(Files.readString(Path.of("../docs/PROTOCOL.md")));
        while (rows.find()) {
            String[] names = rows.group(1).split(", ", -1);
            String[] numbers = rows.group(2).split(", ", -1);
            for (int i = 0; i < names.length; i++) {
                listed.put(names[i], Integer.parseInt(numbers[i], 16));
            }
        }
        assertEquals(declared(), listed);
    }

    @Test
    void theNumbersAreThoseOfTheSpecification() {
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
