package org.gradwire.backend.tensorpipe;

import org.agrona.DirectBuffer;
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
 * <p>Memory is taken in steps, as bytes arrive: at any time at most {@link #FIRST_STEP} bytes and
 * {@link #GROWTH} times what has arrived, whatever lengths were announced. Memory for a buffer is
 * taken when all bytes before it have arrived, and only after the table was found consistent with
 * the announced lengths. Touched by who has the receiver's turn; for single copies then by the
 * copier.
 */
final class IncomingMessage {
    /** The most memory that is taken for bytes of which none has arrived. */
    static final long FIRST_STEP = 1024 * 1024;

    /**
     * How many times what has arrived may be taken beyond that. Memory that grows is copied, an
     * eighth of it at most in all but its first steps.
     */
    static final long GROWTH = 8;

    private static final byte[] EMPTY = {};
    private static final @Nullable MemorySegment[] NO_BUFFERS = {};

    // The sections of a body, after the prologue; from FIRST_BUFFER on one for each buffer.
    private static final int PAYLOAD = 0;
    private static final int FIRST_BUFFER = 1;

    /**
     * A buffer that waits in the sender's memory.
     *
     * @param index among the message's buffers
     */
    record Remote(int index, long address, long length) {}

    private final MessageHead head;
    private final long maxMessageBytes;
    private final BufferAllocator allocator;
    private final ReceiveBudget.@Nullable Claim claim;
    private byte[] prologue = EMPTY;
    private @Nullable MemorySegment[] buffers = NO_BUFFERS;
    private List<Remote> remotes = List.of();

    private byte[] payload = EMPTY;
    private MemorySegment target = MemorySegment.NULL;
    private ElementKind targetKind = ElementKind.RAW;
    private long targetPosition;
    private long targetCapacity; // bytes that have been taken for it
    private long targetLength; // bytes that it will have
    private int nextSection = PAYLOAD;
    private long bodyPosition;

    /**
     * Create one for which no memory is taken yet.
     *
     * @param maxMessageBytes of payload and buffers
     * @param claim what its memory is charged to; null when it has arrived as a whole
     * @throws DecodingException when the message is larger
     */
    IncomingMessage(
            MessageHead head,
            long maxMessageBytes,
            BufferAllocator allocator,
            ReceiveBudget.@Nullable Claim claim) {
        this.head = head;
        this.maxMessageBytes = maxMessageBytes;
        this.allocator = allocator;
        this.claim = claim;
        requireWithin(head.bodyLength() - head.prologueLength());
    }

    /**
     * Take the first memory.
     *
     * @throws DecodingException when there is no room for it
     */
    void begin() {
        if (head.bufferCount() > 0) {
            targetLength = head.prologueLength();
            growTarget();
        }
        skipFullTargets();
    }

    /** Charge nothing for it any more: it is handed in, or given up. For any thread. */
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
                return; // its target stays the full one before it
            }
            target = MemorySegment.NULL;
            targetKind = BufferEntry.kind(entry);
            targetLength = BufferEntry.length(entry);
        }
        targetPosition = 0;
        targetCapacity = 0;
        growTarget();
    }

    /** Take as much of the target's memory as the bytes that have arrived permit. */
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
        if (claim == null || nextSection == PAYLOAD) { // the table is bounded by itself
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
        requireWithin(total);
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
                    "the table tells of a body of %d bytes and %d single copies; announced are %d and %d"
                            .formatted(
                                    body,
                                    remotes.size(),
                                    head.bodyLength(),
                                    head.singleCopyCount()));
        }
    }

    private void requireWithin(long bytes) {
        requireWithin(bytes, maxMessageBytes);
    }

    /** Refuse a message of more than so many bytes of payload and buffers. */
    static void requireWithin(long bytes, long maxMessageBytes) {
        if (bytes > maxMessageBytes) {
            throw new DecodingException(
                    "a message of %d bytes; %s=%d"
                            .formatted(bytes, Keys.MAX_MESSAGE_BYTES, maxMessageBytes));
        }
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
