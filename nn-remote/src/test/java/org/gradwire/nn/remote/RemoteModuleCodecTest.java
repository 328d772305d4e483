package org.gradwire.nn.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Input;
import org.gradwire.spi.Output;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** Handles of modules as a peer may write them, rightly or not. */
class RemoteModuleCodecTest {
    private static final List<Object> WELL_FORMED_HEAD =
            List.of("worker1", "cpu", false, false, 2, "forward_async", "forward");

    private final RemoteModuleCodec codec =
            new RemoteModuleCodec(proxy(Rpc.class, (name, _) -> unexpected(name)));

    private interface Call {
        @Nullable Object apply(String name, @Nullable Object[] args);
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (_, method, args) ->
                                call.apply(method.getName(), args == null ? new Object[0] : args)));
    }

    private static Object unexpected(String name) {
        throw new AssertionError(name + " is not to be called");
    }

    private RemoteModule<?> read(int source, List<Object> parts) {
        var left = new ArrayDeque<Object>(parts);
        return codec.decode(
                proxy(
                        Input.class,
                        (name, args) ->
                                switch (name) {
                                    case "source" -> source;
                                    case "readCount" -> count((int) left.remove(), (int) args[0]);
                                    default -> left.remove();
                                }));
    }

    private static int count(int count, int most) {
        if (count < 0 || count > most) {
            throw new DecodingException(count + " of at most " + most);
        }
        return count;
    }

    private static List<Object> with(int index, Object part) {
        List<Object> parts = new ArrayList<>(WELL_FORMED_HEAD);
        parts.set(index, part);
        return parts;
    }

    private String refused(List<Object> parts) {
        return String.valueOf(
                assertThrows(DecodingException.class, () -> read(1, parts)).getMessage());
    }

    @Test
    void otherMethodsAreRefused() {
        assertEquals(
                "a remote module came with methods [forward_async, exec] (of an interface: false, device map: false), which has [forward_async, forward] here",
                refused(with(6, "exec")));
    }

    @Test
    void moreMethodsThanThereCanBeAreRefusedBeforeTheyAreRead() {
        assertEquals("17 of at most 16", refused(with(4, 17)));
        assertEquals("-1 of at most 16", refused(with(4, -1)));
    }

    @Test
    void oneThatIsUsedThroughAnInterfaceIsRefused() {
        assertTrue(refused(with(3, true)).contains("(of an interface: true"));
    }

    @Test
    void aValueThatIsNoReferenceIsRefused() {
        for (Object value : List.of("a text", 7L)) {
            List<Object> parts = new ArrayList<>(WELL_FORMED_HEAD);
            parts.add(value);
            assertEquals("a remote module came without a reference to its module", refused(parts));
        }
    }

    @Test
    void bytesThatComeFromNowhereAreNoModule() {
        var failure =
                assertThrows(RpcException.class, () -> read(Output.NOWHERE, WELL_FORMED_HEAD));
        assertEquals(RemoteModule.NOT_DESERIALIZABLE, failure.getMessage());
    }

    @Test
    void aProxyCannotHaveBeenSent() {
        var proxies = new RemoteModuleCodec.ProxyCodec();
        var input = proxy(Input.class, (name, _) -> unexpected(name));
        var failure = assertThrows(DecodingException.class, () -> proxies.decode(input));
        assertEquals("a proxy of a remote module cannot have been sent", failure.getMessage());
    }
}
