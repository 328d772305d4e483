package org.gradwire.backend.tensorpipe;

import org.gradwire.backend.tensorpipe.channel.CopyThread;
import org.gradwire.backend.tensorpipe.config.SettingKeys;
import org.gradwire.backend.tensorpipe.config.TensorPipeOptions;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.Message;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Sends messages of a worker to itself: copies them as a transport would, and dispatches them in
 * the receive loop. Thread-safe.
 */
final class Loopback {
    private final int self;
    private final MessageLimits limits;
    private final long queueLimitBytes;
    private final BufferAllocator allocator;
    private final Receiver receiver;
    private final CopyThread copyThread;
    private final MessageDispatcher messageDispatcher;
    private final AtomicLong waitingBytes = new AtomicLong();

    Loopback(
            int self,
            TensorPipeOptions options,
            BufferAllocator allocator,
            Receiver receiver,
            CopyThread copyThread,
            MessageDispatcher messageDispatcher) {
        this.self = self;
        limits = new MessageLimits(options.maxMessageBytes());
        queueLimitBytes = options.sendQueueBytes();
        this.allocator = allocator;
        this.receiver = receiver;
        this.copyThread = copyThread;
        this.messageDispatcher = messageDispatcher;
    }

    /** Send a request and release it; if it cannot be sent, its pending call fails. */
    void sendRequest(long id, Message request) {
        var sink =
                new Reply(id) {
                    @Override
                    void send(long toRequest, Message reply) {
                        sendReply(toRequest, reply);
                    }
                };
        send(id, request, arrived -> messageDispatcher.dispatchOwnRequest(self, arrived, sink));
    }

    private void sendReply(long id, Message reply) {
        RpcException refusal = limits.refusal(reply);
        if (refusal != null) {
            reply.release();
            messageDispatcher.fail(self, id, refusal);
        } else {
            send(id, reply, arrived -> messageDispatcher.dispatchOwnReply(self, id, arrived));
        }
    }

    private void send(long id, Message message, Consumer<Message> dispatch) {
        long bytes = message.byteSize();
        long waiting = waitingBytes.getAndAdd(bytes);
        if (waiting > 0 && waiting + bytes > queueLimitBytes) {
            waitingBytes.addAndGet(-bytes);
            message.release();
            messageDispatcher.fail(self, id, queueFull(bytes, waiting));
            return;
        }
        Runnable pass = () -> pass(id, message, bytes, dispatch);
        if (bytes <= CopyThread.MOST_INLINE_BYTES) {
            pass.run();
        } else {
            copyThread.execute(pass, message::release);
        }
    }

    private RpcException queueFull(long bytes, long waiting) {
        return new RpcException(
                RpcErrorKind.REFUSED,
                "message of %d bytes refused: %d bytes wait for this worker itself already, and %s=%d"
                        .formatted(bytes, waiting, SettingKeys.SEND_QUEUE_BYTES, queueLimitBytes));
    }

    private void pass(long id, Message message, long bytes, Consumer<Message> dispatch) {
        try {
            Message copy = message.copy(allocator);
            receiver.post(() -> {
                waitingBytes.addAndGet(-bytes);
                dispatch.accept(copy);
            });
        } catch (RuntimeException | OutOfMemoryError e) {
            waitingBytes.addAndGet(-bytes);
            messageDispatcher.fail(
                    self,
                    id,
                    new RpcException(
                            RpcErrorKind.REFUSED,
                            "a message to this worker itself cannot be copied: " + e,
                            e));
        } finally {
            message.release();
        }
    }

    long waitingBytes() {
        return waitingBytes.get();
    }
}
