package org.gradwire.runtime.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.gradwire.rpc.RpcException;
import org.junit.jupiter.api.Test;

/** The limits of a table. */
class BoundedTableTest {
    private final BoundedTable table = new BoundedTable(3, 300);

    private String refusal(String key, int bytes) {
        return assertThrows(RpcException.class, () -> table.put(key, new byte[bytes])).getMessage();
    }

    @Test
    void keysAreCounted() {
        for (String key : new String[] {"a", "b", "c", "b"}) {
            table.put(key, new byte[1]);
        }
        assertEquals("the store is full: it has 3 keys, which is its limit", refusal("d", 0));
        assertNull(table.get("d"));
        table.clear();
        table.put("d", new byte[1]);
    }

    @Test
    void bytesAreCountedAndWhatIsReplacedIsNot() {
        table.put("a", new byte[100]); // 166 with its entry
        assertEquals(
                "the store is full: it has 166 bytes, and 135 more exceed its limit of 300",
                refusal("b", 69));
        table.put("b", new byte[68]);
        assertEquals(
                "the store is full: it has 300 bytes, and 1 more exceed its limit of 300",
                refusal("a", 101));
        table.put("a", new byte[99]);
        table.put("b", new byte[69]);
    }
}
