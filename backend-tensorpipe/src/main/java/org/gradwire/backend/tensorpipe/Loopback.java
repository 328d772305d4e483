package org.gradwire.backend.tensorpipe;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.ElementKind;
import org.gradwire.spi.Message;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The way of a worker's messages to itself: they are copied, as any that travel, and handed in by
 * who has the receiver's turn.
 *
 * <p>Thread-safe.
 */
final class Loopback {
    private final BufferAllocator allocator;
    private final Receiver receiver;
    private final Copier copier;
    private final long limitBytes;
    private final AtomicLong waitingBytes = new AtomicLong();

    Loopback(BufferAllocator allocator, Receiver receiver, Copier copier, long limitBytes) {
        this.allocator = allocator;
        this.receiver = receiver;
        this.copier = copier;
        this.limitBytes = limitBytes;
    }

    /**
     * Copy a message, release it, and pass the copy on.
     *
     * @param deliver called by who has the receiver's turn
     * @param failed called when the copy could not be made
     * @throws RpcException when too much waits already; the message was released
     */
    void send(Message message, Consumer<Message> deliver, Consumer<RpcException> failed) {
        long bytes = message.byteSize();
        long waiting = waitingBytes.getAndAdd(bytes);
        if (waiting > 0 && waiting + bytes > limitBytes) {
            waitingBytes.addAndGet(-bytes);
            message.release();
            throw new RpcException(
                    RpcErrorKind.REFUSED,
                    "message of %d bytes refused: %d bytes wait for this worker itself already, and %s=%d"
                            .formatted(bytes, waiting, Keys.SEND_QUEUE_BYTES, limitBytes));
        }
        Runnable pass = () -> pass(message, bytes, deliver, failed);
        if (bytes <= Delivery.MOST_READ_AT_ONCE) {
            pass.run();
        } else {
            copier.execute(pass, message::release);
        }
    }

    private void pass(
            Message message, long bytes, Consumer<Message> deliver, Consumer<RpcException> failed) {
        try {
            Message copy = copy(message);
            receiver.post(() -> {
                waitingBytes.addAndGet(-bytes);
                deliver.accept(copy);
            });
        } catch (RuntimeException | OutOfMemoryError e) {
            waitingBytes.addAndGet(-bytes);
            failed.accept(
                    new RpcException(
                            RpcErrorKind.REFUSED,
                            "a message to oneself cannot be copied: " + e,
                            e));
        } finally {
            message.release();
        }
    }

    private Message copy(Message message) {
        List<MemorySegment> copies = new ArrayList<>(message.buffers().size());
        for (MemorySegment buffer : message.buffers()) {
            copies.add(allocator.allocate(kindOf(buffer), buffer.byteSize()).copyFrom(buffer));
        }
        return new Message(message.type(), message.payload().clone(), copies);
    }

    private static ElementKind kindOf(MemorySegment buffer) {
        ElementKind kind = ElementKind.of(buffer);
        return buffer.byteSize() % kind.bytes() == 0 ? kind : ElementKind.RAW;
    }

    long waitingBytes() {
        return waitingBytes.get();
    }
}
