package org.gradwire.backend.tensorpipe;

import org.gradwire.backend.tensorpipe.channel.BulkChannel;
import org.gradwire.backend.tensorpipe.channel.BulkReader;
import org.gradwire.backend.tensorpipe.channel.CopyThread;
import org.gradwire.backend.tensorpipe.channel.MemoryLocation;
import org.gradwire.backend.tensorpipe.channel.ParallelReader;
import org.gradwire.backend.tensorpipe.channel.RemoteMemory;
import org.gradwire.backend.tensorpipe.frame.HelloFrame;
import org.gradwire.backend.tensorpipe.frame.MessageHead;
import org.gradwire.backend.tensorpipe.frame.SingleCopyDoneFrame;
import org.gradwire.spi.DecodingException;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;

/**
 * Completes inbound messages whose large buffers stayed with the sender: reads the buffers from the
 * sender's memory, or over TCP.
 *
 * <p>{@link #read} is confined to the receive loop. Reads of more than {@link
 * CopyThread#MOST_INLINE_BYTES} and those over TCP run on other threads.
 */
final class RemoteBufferReader {
    private static final int NOT_PERMITTED = 1; // EPERM

    /** Handles the result of a read. */
    interface Completion {

        /** Handle a complete message. In the receive loop. */
        void onComplete(Peer from, InboundMessage message);

        /** Handle a message that exceeds a limit. On any thread. */
        void onUndecodable(@Nullable Peer from, long id, int type, DecodingException why);

        /** Handle a lack of memory for a message. On any thread. */
        void onNoMemory(Peer from, MessageHead head, OutOfMemoryError why);
    }

    /** The memory of a message's remote buffers. */
    private interface Source {

        /** Fill memory with a buffer; return 0 or an error number. */
        int read(InboundMessage.Remote buffer, MemorySegment to);
    }

    private final AgentMetrics metrics;
    private final Receiver receiver;
    private final CopyThread copyThread;
    private final ParallelReader parallelReader;
    private final ReceiveBudget budget;

    RemoteBufferReader(
            AgentMetrics metrics,
            Receiver receiver,
            CopyThread copyThread,
            ParallelReader parallelReader,
            ReceiveBudget budget) {
        this.metrics = metrics;
        this.receiver = receiver;
        this.copyThread = copyThread;
        this.parallelReader = parallelReader;
        this.budget = budget;
    }

    /** Read a message's remote buffers, then complete or drop the message, and release it. */
    void read(Peer from, InboundMessage message, Completion completion) {
        assert receiver.isInLoop();
        MemoryLocation location = from.memoryLocation();
        RemoteMemory memory = from.memory();
        BulkReader bulk = from.bulk();
        HelloFrame hello = from.hello();
        if (location != null && memory != null) {
            readMemory(from, message, memory, location, completion);
        } else if (bulk != null && hello != null) {
            bulk.execute(
                    () -> readAndPost(from, message, overTcp(bulk, message, hello), completion),
                    message::release);
        } else {
            message.release();
            from.sendQueue()
                    .control(new SingleCopyDoneFrame(message.head().transfer(), NOT_PERMITTED));
        }
    }

    private void readMemory(
            Peer from,
            InboundMessage message,
            RemoteMemory memory,
            MemoryLocation location,
            Completion completion) {
        if (remoteBytes(message) > CopyThread.MOST_INLINE_BYTES) {
            // The peer's RemoteMemory is confined to the receive loop.
            copyThread.execute(
                    () ->
                            readAndPost(
                                    from,
                                    message,
                                    inMemory(new RemoteMemory(location), location),
                                    completion),
                    message::release);
            return;
        }
        try {
            if (read(from, message, inMemory(memory, location), completion)) {
                completion.onComplete(from, message);
            }
        } finally {
            message.release();
        }
    }

    private Source inMemory(RemoteMemory memory, MemoryLocation location) {
        return (buffer, to) -> parallelReader.read(memory, location, buffer.address(), to);
    }

    private static Source overTcp(BulkReader bulk, InboundMessage message, HelloFrame hello) {
        long transfer = message.head().transfer();
        return (buffer, to) ->
                bulk.read(
                        hello.challenge(),
                        new BulkChannel.Request(transfer, buffer.index(), buffer.length()),
                        to);
    }

    private static long remoteBytes(InboundMessage message) {
        long bytes = 0;
        for (InboundMessage.Remote remote : message.remotes()) {
            bytes += remote.length();
        }
        return bytes;
    }

    /** Read outside the receive loop, then post the result. */
    private void readAndPost(
            Peer from, InboundMessage message, Source source, Completion completion) {
        boolean isComplete = false;
        try (ReceiveBudget.Claim claim = budget.claim(from.arriving())) {
            claim.add(remoteBytes(message));
            isComplete = read(from, message, source, completion);
        } catch (DecodingException e) {
            from.sendQueue().control(new SingleCopyDoneFrame(message.head().transfer(), 0));
            completion.onUndecodable(from, message.head().id(), message.head().type(), e);
        } finally {
            if (!isComplete) {
                message.release();
            }
        }
        if (isComplete) {
            receiver.post(() -> completeAndRelease(from, message, completion));
        }
    }

    private static void completeAndRelease(
            Peer from, InboundMessage message, Completion completion) {
        try {
            completion.onComplete(from, message);
        } finally {
            message.release();
        }
    }

    /** Read all buffers, notify the sender, and return whether the message is complete. */
    private boolean read(Peer from, InboundMessage message, Source source, Completion completion) {
        int error = 0;
        try {
            for (InboundMessage.Remote remote : message.remotes()) {
                error = error != 0 ? error : source.read(remote, message.allocateRemote(remote));
            }
        } catch (OutOfMemoryError e) {
            from.sendQueue().control(new SingleCopyDoneFrame(message.head().transfer(), 0));
            completion.onNoMemory(from, message.head(), e);
            return false;
        }
        (error == 0 ? metrics.singleCopiesRead : metrics.singleCopiesFailed)
                .add(message.remotes().size());
        from.sendQueue().control(new SingleCopyDoneFrame(message.head().transfer(), error));
        return error == 0;
    }

    /** Cancel the reads that have not begun. */
    void stop() {
        parallelReader.stop();
    }
}
