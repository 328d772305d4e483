package org.gradwire.backend.tensorpipe;

import static org.gradwire.backend.tensorpipe.FrameHeader.ORDER;

import org.agrona.concurrent.UnsafeBuffer;
import org.gradwire.spi.ElementKind;
import org.gradwire.spi.Message;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A message on its way out: how its body is laid out, and how much of it has been written.
 *
 * <p>Made by the thread that sends; from then on guarded by its {@link Outbox}'s lock.
 */
final class Outgoing {
    private static final long NO_SINGLE_COPY = Long.MAX_VALUE;

    private final Message message;
    private final long id;
    private final long createdNanos;
    private final long timeoutNanos;
    private final boolean isRequest;

    private MessageHead head;
    private MemorySegment[] sections;
    private int section;
    private long sectionPosition;
    private long bodyPosition;
    private boolean isStarted;

    /**
     * Lay out a message.
     *
     * @param timeoutNanos after which a request need not be sent any more; 0 means never
     * @param transfer a number not used before with this peer
     * @param leastSingleCopy native buffers of so many bytes are left for the peer to read
     */
    Outgoing(
            Message message,
            boolean isRequest,
            long id,
            long nowNanos,
            long timeoutNanos,
            long transfer,
            long leastSingleCopy) {
        this.message = message;
        this.isRequest = isRequest;
        this.id = id;
        createdNanos = nowNanos;
        this.timeoutNanos = timeoutNanos;
        sections = new MemorySegment[0];
        head = layOut(transfer, leastSingleCopy);
    }

    private MessageHead layOut(long transfer, long leastSingleCopy) {
        List<MemorySegment> buffers = message.buffers();
        int count = buffers.size();
        int remote = 0;
        for (int i = 0; i < count; i++) {
            remote += isRemote(buffers.get(i), leastSingleCopy) ? 1 : 0;
        }
        int prologueLength = MessageHead.prologueLength(count, remote);
        sections = new MemorySegment[2 + count - remote];
        byte[] prologue = new byte[prologueLength];
        sections[0] = MemorySegment.ofArray(prologue);
        sections[1] = MemorySegment.ofArray(message.payload());
        long inline = fill(new UnsafeBuffer(prologue), leastSingleCopy);
        long bodyLength = prologueLength + (long) message.payload().length + inline;
        return new MessageHead(
                id, message.type(), message.payload().length, count, remote, transfer, bodyLength);
    }

    /** Write the table and the addresses, list the inline buffers, and return their bytes. */
    private long fill(UnsafeBuffer prologue, long leastSingleCopy) {
        List<MemorySegment> buffers = message.buffers();
        int nextAddress = buffers.size() * Long.BYTES;
        int nextSection = 2;
        long inline = 0;
        for (int i = 0; i < buffers.size(); i++) {
            MemorySegment buffer = buffers.get(i);
            boolean remote = isRemote(buffer, leastSingleCopy);
            long entry = BufferEntry.of(kindOf(buffer), buffer.byteSize(), remote);
            prologue.putLong(i * Long.BYTES, entry, ORDER);
            if (remote) {
                prologue.putLong(nextAddress, buffer.address(), ORDER);
                nextAddress += Long.BYTES;
            } else {
                sections[nextSection++] = buffer;
                inline += buffer.byteSize();
            }
        }
        return inline;
    }

    private static boolean isRemote(MemorySegment buffer, long leastSingleCopy) {
        return buffer.byteSize() >= leastSingleCopy && buffer.isNative();
    }

    private static ElementKind kindOf(MemorySegment buffer) {
        ElementKind kind = ElementKind.of(buffer);
        return buffer.byteSize() % kind.bytes() == 0 ? kind : ElementKind.RAW;
    }

    /** Lay the message out anew, without single copies, under another transfer number. */
    void restartInChunks(long transfer) {
        section = 0;
        sectionPosition = 0;
        bodyPosition = 0;
        isStarted = false;
        head = layOut(transfer, NO_SINGLE_COPY);
    }

    MessageHead head() {
        return head;
    }

    boolean isRequest() {
        return isRequest;
    }

    long id() {
        return id;
    }

    boolean hasSingleCopies() {
        return head.singleCopyCount() > 0;
    }

    /** {@return whether its first frame was written} */
    boolean isStarted() {
        return isStarted;
    }

    void start() {
        isStarted = true;
    }

    /** {@return how much of the body was written} */
    long bodyPosition() {
        return bodyPosition;
    }

    boolean isWritten() {
        return isStarted && bodyPosition == head.bodyLength();
    }

    boolean isExpired(long nowNanos) {
        return timeoutNanos > 0 && nowNanos - createdNanos >= timeoutNanos;
    }

    /**
     * Write the next bytes of the body, no more than are left.
     *
     * @throws RuntimeException when a buffer's memory was closed, or belongs to another thread
     */
    void copyOut(long toAddress, int bytes) {
        int copied = 0;
        while (copied < bytes) {
            MemorySegment from = sections[section];
            long part = Math.min(bytes - copied, from.byteSize() - sectionPosition);
            NativeMemory.copyOut(from, sectionPosition, toAddress + copied, part);
            copied += (int) part;
            sectionPosition += part;
            if (sectionPosition == from.byteSize()) {
                section++;
                sectionPosition = 0;
            }
        }
        bodyPosition += bytes;
    }

    /** {@return bytes of the payload and all buffers} */
    long messageBytes() {
        return message.byteSize();
    }

    /** Tell the maker of the message that its memory is read no more. */
    void release() {
        message.release();
    }
}
