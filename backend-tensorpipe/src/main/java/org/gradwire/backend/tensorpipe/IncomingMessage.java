package org.gradwire.backend.tensorpipe;

import static org.gradwire.backend.tensorpipe.FrameHeader.ORDER;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.ElementKind;
import org.gradwire.spi.Message;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A message being put together from the bytes of its body, straight into the memory in which it
 * will stay.
 *
 * <p>Memory for a buffer is taken when all bytes before it have arrived, and only after the table
 * was found consistent with the announced lengths. Touched by who has the receiver's turn; for
 * single copies then by the copier.
 */
final class IncomingMessage {

    /**
     * A buffer that waits in the sender's memory.
     *
     * @param index among the message's buffers
     */
    record Remote(int index, long address, long length) {}

    private final MessageHead head;
    private final long maxMessageBytes;
    private final BufferAllocator allocator;
    private final UnsafeBuffer prologue;
    private final @Nullable MemorySegment[] buffers;
    private final List<Remote> remotes = new ArrayList<>(0);

    private byte[] payload = {};
    private MemorySegment target;
    private long targetPosition;
    private int nextSection;
    private long bodyPosition;

    /**
     * Begin.
     *
     * @param maxMessageBytes of payload and buffers
     * @throws DecodingException when the message is larger
     */
    IncomingMessage(MessageHead head, long maxMessageBytes, BufferAllocator allocator) {
        this.head = head;
        this.maxMessageBytes = maxMessageBytes;
        this.allocator = allocator;
        requireWithin(head.bodyLength() - head.prologueLength());
        byte[] bytes = new byte[head.prologueLength()];
        prologue = new UnsafeBuffer(bytes);
        target = MemorySegment.ofArray(bytes);
        buffers = new @Nullable MemorySegment[head.bufferCount()];
        skipFullTargets();
    }

    MessageHead head() {
        return head;
    }

    long bodyPosition() {
        return bodyPosition;
    }

    boolean isComplete() {
        return bodyPosition == head.bodyLength();
    }

    /**
     * Take in the next bytes of the body.
     *
     * @throws DecodingException when they are more than announced, or the table is wrong
     */
    void append(DirectBuffer from, int offset, int length) {
        if (length > head.bodyLength() - bodyPosition) {
            throw new DecodingException(
                    "%d bytes at %d of a body of %d"
                            .formatted(length, bodyPosition, head.bodyLength()));
        }
        long address = from.addressOffset() + offset;
        long left = length;
        while (left > 0) {
            long part = Math.min(left, target.byteSize() - targetPosition);
            NativeMemory.copyIn(address, target, targetPosition, part);
            address += part;
            left -= part;
            targetPosition += part;
            bodyPosition += part;
            skipFullTargets();
        }
    }

    private void skipFullTargets() {
        while (targetPosition == target.byteSize() && nextSection <= head.bufferCount()) {
            beginSection(nextSection++);
        }
    }

    /** Section 0 is the payload, after the prologue; the buffers follow. */
    private void beginSection(int section) {
        if (section == 0) {
            readTable();
            payload = new byte[head.payloadLength()];
            target = MemorySegment.ofArray(payload);
        } else {
            long entry = entry(section - 1);
            if (BufferEntry.isSingleCopy(entry)) {
                return; // its target stays the full one before it
            }
            target = allocate(BufferEntry.kind(entry), BufferEntry.length(entry));
            buffers[section - 1] = target;
        }
        targetPosition = 0;
    }

    private MemorySegment allocate(ElementKind kind, long length) {
        return allocator.allocate(kind, length);
    }

    private void readTable() {
        long inline = 0;
        long total = head.payloadLength();
        int nextAddress = head.bufferCount() * Long.BYTES;
        for (int i = 0; i < head.bufferCount(); i++) {
            long entry = entry(i);
            long length = BufferEntry.length(entry);
            ElementKind kind = BufferEntry.kind(entry);
            total += length; // no overflow: 65,536 times 2^48
            if (BufferEntry.isSingleCopy(entry)) {
                addRemote(i, kind, nextAddress, length);
                nextAddress += Long.BYTES;
            } else {
                inline += length;
            }
        }
        requireWithin(total);
        requireConsistent(inline);
    }

    private void addRemote(int index, ElementKind kind, int addressOffset, long length) {
        if (kind != ElementKind.RAW || remotes.size() == head.singleCopyCount()) {
            throw new DecodingException(
                    "buffer %d cannot be a single copy: kind %s, %d announced"
                            .formatted(index, kind, head.singleCopyCount()));
        }
        remotes.add(new Remote(index, prologue.getLong(addressOffset, ORDER), length));
    }

    private void requireConsistent(long inline) {
        long body = head.prologueLength() + (long) head.payloadLength() + inline;
        if (body != head.bodyLength() || remotes.size() != head.singleCopyCount()) {
            throw new DecodingException(
                    "the table tells of a body of %d bytes and %d single copies; announced are %d and %d"
                            .formatted(
                                    body,
                                    remotes.size(),
                                    head.bodyLength(),
                                    head.singleCopyCount()));
        }
    }

    private void requireWithin(long bytes) {
        if (bytes > maxMessageBytes) {
            throw new DecodingException(
                    "a message of %d bytes; %s=%d"
                            .formatted(bytes, Keys.MAX_MESSAGE_BYTES, maxMessageBytes));
        }
    }

    private long entry(int index) {
        return prologue.getLong(index * Long.BYTES, ORDER);
    }

    /** {@return the buffers that are still to be read from the sender's memory} */
    List<Remote> remotes() {
        return remotes;
    }

    /** Allocate the memory of a remote buffer. */
    MemorySegment allocateRemote(Remote remote) {
        MemorySegment memory = allocate(ElementKind.RAW, remote.length);
        buffers[remote.index] = memory;
        return memory;
    }

    /** {@return the message, once its body is complete and its remote buffers were read} */
    Message toMessage() {
        return new Message(head.type(), payload, received());
    }

    @SuppressWarnings("NullAway") // every section was begun, every remote buffer read
    private List<MemorySegment> received() {
        return Arrays.asList(buffers);
    }
}
