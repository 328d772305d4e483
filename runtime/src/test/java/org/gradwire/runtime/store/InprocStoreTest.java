package org.gradwire.runtime.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.spi.Store;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class InprocStoreTest extends StoreContract {
    private final TestStores factory = new TestStores(_ -> "");

    @Override
    Store open(int rank) {
        return factory.open("inproc://test", rank, WORLD_SIZE, StoreSecurity.withToken(""), LONG);
    }

    @Test
    void namesAreApart() {
        join(0).set("key", bytes("value"));
        Store other =
                factory.open("inproc://other", 0, WORLD_SIZE, StoreSecurity.withToken(""), LONG);
        assertThrows(RpcTimeoutException.class, () -> other.get("key", SHORT));
    }

    @Test
    void aFullGroupDoesNotKeepTheNameFromTheNextOne() {
        List<Store> stores = new ArrayList<>();
        for (int rank = 0; rank < WORLD_SIZE; rank++) {
            stores.add(join(rank));
        }
        stores.getFirst().set("key", bytes("value"));
        stores.getFirst().close();
        Store next = join(0);
        assertThrows(RpcTimeoutException.class, () -> next.get("key", SHORT));
        next.set("key", bytes("new"));
        assertEquals("value", text(stores.getLast().get("key", LONG)));
        stores.forEach(Store::close);
        assertEquals("new", text(join(1).get("key", LONG)));
    }

    @Test
    void aWorkerThatComesWithARankThatIsTakenMeetsTheOneWhoTookIt() {
        Store first = join(0);
        first.set("key", bytes("value"));
        for (int i = 0; i < WORLD_SIZE; i++) {
            Store twin = join(0);
            assertEquals("value", text(twin.get("key", LONG)));
            twin.close();
        }
        assertEquals("value", text(join(1).get("key", LONG)));
    }
}
