package org.gradwire.runtime.authorization;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.runtime.authorization.MessageAccess.Check;
import org.gradwire.spi.MessageTypes;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The access of each type of message: none is forgotten, in the code or in the documentation. */
class MessageAccessTest {
    private static final Path PAGE = Path.of("../docs/security.md");
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) \\| ([^|]+) \\|");
    private static final Pattern NAME = Pattern.compile("`([A-Z_]+)`");

    @Test
    void everyRequestHasAnEntryOfItsOwn() {
        assertTrue(MessageTypes.requests().size() > 20, "no types were found");
        for (int type : MessageTypes.requests()) {
            MessageAccess access = MessageAccess.of(type);
            String name = MessageTypes.name(type);
            String action = String.valueOf(access.action());
            assertFalse(
                    MessageAccess.isActionOfExtension(action),
                    () -> name + " is not in the table of MessageAccess; add its permission");
            switch (access.check()) {
                case NEVER -> {
                    assertNull(access.action(), name);
                    assertTrue(access.reason().length() > 10, name + " needs a reason");
                }
                case BY_FUNCTION -> assertNull(access.action(), name);
                case ON_ARRIVAL, BY_HANDLER -> {
                    assertNotNull(access.action(), name);
                    assertTrue(MessageAccess.actions().contains(action), name);
                }
            }
        }
    }

    @Test
    void callsNeedTheirFunction() {
        for (int type :
                new int[] {
                    MessageTypes.SCRIPT_CALL,
                    MessageTypes.UDF_CALL,
                    MessageTypes.SCRIPT_REMOTE_CALL,
                    MessageTypes.UDF_REMOTE_CALL
                }) {
            assertEquals(Check.BY_FUNCTION, MessageAccess.of(type).check());
        }
    }

    @Test
    void repliesNeedNothing() {
        assertTrue(MessageTypes.replies().contains(MessageTypes.EXCEPTION));
        for (int type : MessageTypes.replies()) {
            assertEquals(Check.NEVER, MessageAccess.of(type).check(), MessageTypes.name(type));
        }
    }

    @Test
    void messagesOfExtensionsHaveTheirOwnPermissions() {
        MessageAccess access = MessageAccess.of(0x1c5);
        assertEquals(Check.ON_ARRIVAL, access.check());
        assertEquals("gradwire::message-1c5", access.action());
        assertTrue(MessageAccess.isActionOfExtension("gradwire::message-1c5"));
        assertFalse(MessageAccess.isActionOfExtension("gradwire::message-"));
        assertEquals(Check.NEVER, MessageAccess.of(0x1e1).check(), "an optional header");
    }

    @Test
    void thePageHasTheTableOfTheCode() throws IOException {
        Map<String, String> expected = new TreeMap<>();
        for (int type : MessageTypes.requests()) {
            expected.put(MessageTypes.name(type), needed(MessageAccess.of(type)));
        }
        Map<String, String> written = new TreeMap<>();
        ROW.matcher(Files.readString(PAGE))
                .results()
                .forEach(row ->
                        NAME.matcher(row.group(1))
                                .results()
                                .map((MatchResult name) -> name.group(1))
                                .forEach(name -> written.put(name, row.group(2).strip())));
        assertEquals(expected, written);
        assertEquals(new TreeSet<>(expected.keySet()), new TreeSet<>(written.keySet()));
    }

    private static String needed(MessageAccess access) {
        return switch (access.check()) {
            case NEVER -> "nothing";
            case BY_FUNCTION -> "the function";
            case ON_ARRIVAL, BY_HANDLER -> "`" + access.action() + "`";
        };
    }
}
