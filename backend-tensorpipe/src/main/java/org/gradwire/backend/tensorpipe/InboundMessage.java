package org.gradwire.backend.tensorpipe;

import org.agrona.DirectBuffer;
import org.gradwire.backend.tensorpipe.frame.BufferEntry;
import org.gradwire.backend.tensorpipe.frame.MessageHead;
import org.gradwire.backend.tensorpipe.os.NativeMemory;
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
 * An inbound message, assembled from the bytes of its body directly in its final memory.
 *
 * <p>Memory is allocated in steps, as bytes arrive: at most {@link #FIRST_STEP} bytes plus {@link
 * #GROWTH} times the arrived bytes, regardless of the announced lengths. Memory for a buffer is
 * allocated when all bytes before it have arrived, and only if the table is consistent with the
 * announced lengths. Confined to the receive loop, and to the reading thread while its remote
 * buffers are read.
 */
final class InboundMessage {
    /** Limit of the memory allocated before its first byte has arrived. */
    static final long FIRST_STEP = 1024 * 1024;

    /**
     * Limit of the memory per arrived byte. Growing memory is copied: at most an eighth of it,
     * except in the first steps.
     */
    static final long GROWTH = 8;

    private static final byte[] EMPTY = {};
    private static final @Nullable MemorySegment[] NO_BUFFERS = {};

    // Sections of a body after the prologue; from FIRST_BUFFER on, one per buffer.
    private static final int PAYLOAD = 0;
    private static final int FIRST_BUFFER = 1;

    /**
     * A buffer in the sender's memory.
     *
     * @param index among the message's buffers
     */
    record Remote(int index, long address, long length) {}

    private final MessageHead head;
    private final MessageLimits limits;
    private final BufferAllocator allocator;
    private final ReceiveBudget.@Nullable Claim claim;
    private byte[] prologue = EMPTY;
    private @Nullable MemorySegment[] buffers = NO_BUFFERS;
    private List<Remote> remotes = List.of();

    private byte[] payload = EMPTY;
    private MemorySegment target = MemorySegment.NULL;
    private ElementKind targetKind = ElementKind.RAW;
    private long targetPosition;
    private long targetCapacity; // bytes allocated for it
    private long targetLength; // its final bytes
    private int nextSection = PAYLOAD;
    private long bodyPosition;

    /**
     * Create a message without memory.
     *
     * @param limits of its payload and buffers
     * @param claim to which its memory is charged; null for a message that has arrived completely
     * @throws DecodingException when the message is larger
     */
    InboundMessage(
            MessageHead head,
            MessageLimits limits,
            BufferAllocator allocator,
            ReceiveBudget.@Nullable Claim claim) {
        this.head = head;
        this.limits = limits;
        this.allocator = allocator;
        this.claim = claim;
        limits.require(head.bodyLength() - head.prologueLength());
    }

    /**
     * Allocate the first memory.
     *
     * @throws DecodingException if it exceeds the budget
     */
    void begin() {
        if (head.bufferCount() > 0) {
            targetLength = head.prologueLength();
            growTarget();
        }
        skipFullTargets();
    }

    /** End the charge: the message is dispatched or dropped. For any thread. */
    void release() {
        if (claim != null) {
            claim.close();
        }
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
     * Append the next bytes of the body.
     *
     * @throws DecodingException if they exceed the announced length, or the table is invalid
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
            if (targetPosition == targetCapacity) {
                growTarget();
            }
            long part = Math.min(left, targetCapacity - targetPosition);
            copyIn(address, part);
            address += part;
            left -= part;
            targetPosition += part;
            bodyPosition += part;
            skipFullTargets();
        }
    }

    private void copyIn(long address, long bytes) {
        int position = (int) targetPosition;
        switch (nextSection) {
            case PAYLOAD -> NativeMemory.copyIn(address, prologue, position, (int) bytes);
            case FIRST_BUFFER -> NativeMemory.copyIn(address, payload, position, (int) bytes);
            default -> NativeMemory.copyIn(address, target, targetPosition, bytes);
        }
    }

    private void skipFullTargets() {
        while (targetPosition == targetLength && nextSection <= head.bufferCount()) {
            beginSection(nextSection++);
        }
    }

    private void beginSection(int section) {
        if (section == PAYLOAD) {
            readTable();
            targetLength = head.payloadLength();
        } else {
            long entry = BufferEntry.get(prologue, section - FIRST_BUFFER);
            if (BufferEntry.isSingleCopy(entry)) {
                return; // the target remains the previous, full one
            }
            target = MemorySegment.NULL;
            targetKind = BufferEntry.kind(entry);
            targetLength = BufferEntry.length(entry);
        }
        targetPosition = 0;
        targetCapacity = 0;
        growTarget();
    }

    /** Grow the target as far as the arrived bytes permit. */
    private void growTarget() {
        long most = targetCapacity + FIRST_STEP + (GROWTH - 1) * bodyPosition;
        long capacity = most < targetLength ? most & -Long.BYTES : targetLength;
        charge(capacity - targetCapacity);
        switch (nextSection) {
            case PAYLOAD -> prologue = Arrays.copyOf(prologue, (int) capacity);
            case FIRST_BUFFER -> payload = Arrays.copyOf(payload, (int) capacity);
            default -> growBuffer(capacity);
        }
        targetCapacity = capacity;
    }

    private void charge(long bytes) {
        if (claim == null || nextSection == PAYLOAD) { // the table has its own limit
            return;
        }
        if (nextSection == FIRST_BUFFER || targetKind != ElementKind.RAW) {
            claim.addOnHeap(bytes);
        } else {
            claim.add(bytes);
        }
    }

    private void growBuffer(long capacity) {
        MemorySegment larger = allocate(targetKind, capacity);
        MemorySegment.copy(target, 0, larger, 0, targetPosition);
        target = larger;
        buffers[nextSection - FIRST_BUFFER - 1] = larger;
    }

    private MemorySegment allocate(ElementKind kind, long length) {
        return allocator.allocate(kind, length);
    }

    private void readTable() {
        buffers =
                head.bufferCount() == 0
                        ? NO_BUFFERS
                        : new @Nullable MemorySegment[head.bufferCount()];
        long inline = 0;
        long total = head.payloadLength();
        int nextAddress = head.bufferCount();
        for (int i = 0; i < head.bufferCount(); i++) {
            long entry = BufferEntry.get(prologue, i);
            long length = BufferEntry.length(entry);
            ElementKind kind = BufferEntry.kind(entry);
            total += length; // no overflow: 65,536 times 2^48
            if (BufferEntry.isSingleCopy(entry)) {
                addRemote(i, kind, nextAddress, length);
                nextAddress++;
            } else {
                inline += length;
            }
        }
        limits.require(total);
        requireConsistent(inline);
    }

    private void addRemote(int index, ElementKind kind, int address, long length) {
        if (kind != ElementKind.RAW || remotes.size() == head.singleCopyCount()) {
            throw new DecodingException(
                    "buffer %d cannot be a single copy: kind %s, %d announced"
                            .formatted(index, kind, head.singleCopyCount()));
        }
        remotes = remotes.isEmpty() ? new ArrayList<>() : remotes;
        remotes.add(new Remote(index, BufferEntry.get(prologue, address), length));
    }

    private void requireConsistent(long inline) {
        long body = head.prologueLength() + (long) head.payloadLength() + inline;
        if (body != head.bodyLength() || remotes.size() != head.singleCopyCount()) {
            throw new DecodingException(
                    "the table describes a body of %d bytes and %d single copies; announced are %d and %d"
                            .formatted(
                                    body,
                                    remotes.size(),
                                    head.bodyLength(),
                                    head.singleCopyCount()));
        }
    }

    /** {@return the buffers to read from the sender's memory} */
    List<Remote> remotes() {
        return remotes;
    }

    /** Allocate the memory of a remote buffer. */
    MemorySegment allocateRemote(Remote remote) {
        MemorySegment memory = allocate(ElementKind.RAW, remote.length);
        buffers[remote.index] = memory;
        return memory;
    }

    /** {@return the message, after its body is complete and its remote buffers were read} */
    Message toMessage() {
        return new Message(head.type(), payload, received());
    }

    @SuppressWarnings("NullAway") // every section was begun, every remote buffer read
    private List<MemorySegment> received() {
        return Arrays.asList(buffers);
    }
}
