package org.gradwire.autograd.distributed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.gradwire.spi.IncomingRequest;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Output;
import org.gradwire.spi.Worker;
import org.gradwire.spi.device.DeviceException;
import org.gradwire.spi.device.DeviceMemory;
import org.gradwire.spi.device.DevicePeer;
import org.gradwire.spi.device.DeviceSharing;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Device sharing within this process, with descriptions of three numbers. */
final class SharingDouble implements DeviceSharing {
    static final byte[] ANSWER = {42};

    /** The number of closed peers. */
    int closed;

    private final List<DeviceMemory> exported = new ArrayList<>();

    /** {@return the description of a part of an exported memory} */
    static byte[] description(long memory, long offset, long bytes) {
        return ByteBuffer.allocate(3 * Long.BYTES)
                .putLong(memory)
                .putLong(offset)
                .putLong(bytes)
                .array();
    }

    private static <T> T proxy(Class<T> type, InvocationHandler methods) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, methods));
    }

    /** {@return a worker that adds the items of each message that it sends to a list} */
    static Worker worker(List<List<Object>> sent) {
        return proxy(
                Worker.class,
                (_, method, args) -> {
                    assertEquals("requestWithRetries", method.getName());
                    assertEquals(MessageTypes.DEVICE_COPIED_REQ, args[1]);
                    var wire = new WireDouble();
                    write(args[2], wire.output());
                    sent.add(wire.items);
                    return null;
                });
    }

    @SuppressWarnings("unchecked") // the argument of a request is a consumer of its output
    private static void write(Object body, Output out) {
        ((Consumer<Output>) body).accept(out);
    }

    /** {@return the types of the replies to a request with a body} */
    static List<Object> replies(DeviceShares shares, WireDouble body) {
        List<Object> replies = new ArrayList<>();
        IncomingRequest request =
                proxy(
                        IncomingRequest.class,
                        (_, method, args) -> {
                            if (method.getName().equals("body")) {
                                return body.input();
                            }
                            assertEquals("reply", method.getName());
                            replies.add(args[0]);
                            return null;
                        });
        new DeviceShares.Handler(shares).handle(request);
        return replies;
    }

    @Override
    public String machine() {
        return "this machine";
    }

    @Override
    public List<String> devices() {
        return List.of("d0", "d1", "d2", "d3");
    }

    @Override
    public byte[] exported(DeviceMemory memory, long offset, long bytes) {
        exported.add(memory);
        return description(exported.size() - 1, offset, bytes);
    }

    @Override
    public DevicePeer peer() {
        return new Peer();
    }

    private final class Peer implements DevicePeer {
        @Override
        public void check(byte[] description, long bytes) {
            if (description.length != 3 * Long.BYTES) {
                throw new IllegalArgumentException("malformed");
            }
            ByteBuffer in = ByteBuffer.wrap(description);
            if (in.getLong(0) < 0 || in.getLong(0) >= exported.size()) {
                throw new DeviceException("open", 1, "UNKNOWN", "no such memory");
            }
            if (in.getLong(2 * Long.BYTES) != bytes) {
                throw new IllegalArgumentException("other bytes");
            }
            long offset = in.getLong(Long.BYTES);
            if (offset < 0 || offset > exported.get((int) in.getLong(0)).bytes() - bytes) {
                throw new IllegalArgumentException("outside of the memory");
            }
        }

        @Override
        public byte[] copyFrom(byte[] description, DeviceMemory target) {
            ByteBuffer in = ByteBuffer.wrap(description);
            exported.get((int) in.getLong()).copyTo(in.getLong(), target, 0, in.getLong());
            return ANSWER;
        }

        @Override
        public void copied(DeviceMemory memory, byte[] answer) {
            if (answer.length != ANSWER.length) {
                throw new IllegalArgumentException("%d bytes".formatted(answer.length));
            }
        }

        @Override
        public void close() {
            closed++;
        }
    }
}
