package org.gradwire.backend.tensorpipe;

import org.gradwire.backend.tensorpipe.frame.BufferEntry;
import org.gradwire.backend.tensorpipe.frame.MessageFields;
import org.gradwire.backend.tensorpipe.frame.MessageHead;
import org.gradwire.backend.tensorpipe.os.NativeMemory;
import org.gradwire.spi.ElementKind;
import org.gradwire.spi.Message;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * An outbound message: the layout of its body and the write position.
 *
 * <p>Created by the calling thread, then guarded by its {@link SendQueue}'s lock.
 */
final class OutboundMessage implements MessageFields {
    private static final long NO_SINGLE_COPY = Long.MAX_VALUE;
    private static final byte[] EMPTY = {};

    // Sections of a body; from FIRST_BUFFER on, one per buffer.
    private static final int PROLOGUE = 0;
    private static final int PAYLOAD = 1;
    private static final int FIRST_BUFFER = 2;

    private final Message message;
    private final long id;
    private final boolean expires;
    private final long deadlineNanos;
    private final boolean isRequest;

    private long leastSingleCopy;
    private byte[] prologue = EMPTY;
    private int singleCopies;
    private long transfer;
    private long bodyLength;
    private int section;
    private long sectionPosition;
    private long bodyPosition;
    private boolean isStarted;
    private int readers;
    private boolean isDone;

    /**
     * Lay out a message.
     *
     * @param timeoutNanos time after which a request is no longer sent; 0 means never
     * @param transfer a number not used before with this peer
     * @param leastSingleCopy minimal bytes of a native buffer that is left for the peer to read
     */
    OutboundMessage(
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
        expires = timeoutNanos > 0;
        deadlineNanos = nowNanos + Math.min(timeoutNanos, Long.MAX_VALUE / 2); // never overflows
        this.leastSingleCopy = leastSingleCopy;
        layOut(transfer);
    }

    private void layOut(long newTransfer) {
        List<MemorySegment> buffers = message.buffers();
        int count = buffers.size();
        int remote = 0;
        for (int i = 0; i < count; i++) {
            remote += isRemote(buffers.get(i)) ? 1 : 0;
        }
        int prologueLength = MessageHead.prologueLength(count, remote);
        prologue = count == 0 ? EMPTY : new byte[prologueLength];
        long inline = fillPrologue();
        singleCopies = remote;
        transfer = newTransfer;
        bodyLength = prologueLength + (long) message.payload().length + inline;
    }

    /** Write the table and the addresses, and return the bytes of the inline buffers. */
    private long fillPrologue() {
        List<MemorySegment> buffers = message.buffers();
        int nextAddress = buffers.size();
        long inline = 0;
        for (int i = 0; i < buffers.size(); i++) {
            MemorySegment buffer = buffers.get(i);
            boolean remote = isRemote(buffer);
            long entry = BufferEntry.of(kindOf(buffer), buffer.byteSize(), remote);
            BufferEntry.put(prologue, i, entry);
            if (remote) {
                BufferEntry.put(prologue, nextAddress++, buffer.address());
            } else {
                inline += buffer.byteSize();
            }
        }
        return inline;
    }

    private boolean isRemote(MemorySegment buffer) {
        return buffer.byteSize() >= leastSingleCopy && buffer.isNative();
    }

    private static ElementKind kindOf(MemorySegment buffer) {
        ElementKind kind = ElementKind.of(buffer);
        return buffer.byteSize() % kind.bytes() == 0 ? kind : ElementKind.RAW;
    }

    /** Rebuild the layout without single copies, with another transfer number. */
    void restartInChunks(long newTransfer) {
        section = 0;
        sectionPosition = 0;
        bodyPosition = 0;
        isStarted = false;
        leastSingleCopy = NO_SINGLE_COPY;
        layOut(newTransfer);
    }

    @Override
    public int type() {
        return message.type();
    }

    @Override
    public int payloadLength() {
        return message.payload().length;
    }

    @Override
    public int bufferCount() {
        return message.buffers().size();
    }

    @Override
    public int singleCopyCount() {
        return singleCopies;
    }

    @Override
    public long transfer() {
        return transfer;
    }

    @Override
    public long bodyLength() {
        return bodyLength;
    }

    boolean isRequest() {
        return isRequest;
    }

    @Override
    public long id() {
        return id;
    }

    /** {@return a buffer that is left for the peer to read; null if there is none} */
    @Nullable MemorySegment remoteBuffer(long index, long length) {
        if (index < 0 || index >= message.buffers().size()) {
            return null;
        }
        MemorySegment buffer = message.buffers().get((int) index);
        return isRemote(buffer) && buffer.byteSize() == length ? buffer : null;
    }

    /** Begin a read over a connection. */
    void beginReading() {
        readers++;
    }

    /** {@return whether the message must be released: it is done and has no readers} */
    boolean endReading() {
        return --readers == 0 && isDone;
    }

    /** {@return whether the message, now done, may be released: it has no readers} */
    boolean end() {
        isDone = true;
        return readers == 0;
    }

    boolean hasSingleCopies() {
        return singleCopies > 0;
    }

    /** {@return whether its first frame was written} */
    boolean isStarted() {
        return isStarted;
    }

    void start() {
        isStarted = true;
    }

    /** {@return the written bytes of the body} */
    long bodyPosition() {
        return bodyPosition;
    }

    boolean isWritten() {
        return isStarted && bodyPosition == bodyLength;
    }

    /** {@return whether it has a timeout} */
    boolean expires() {
        return expires;
    }

    boolean isExpired(long nowNanos) {
        return expires && nowNanos - deadlineNanos >= 0;
    }

    /**
     * Write the next bytes of the body, at most the remaining ones.
     *
     * @throws RuntimeException if a buffer's memory was closed, or is confined to another thread
     */
    void copyOut(long toAddress, int bytes) {
        int copied = 0;
        while (copied < bytes) {
            long length = sectionLength();
            long part = Math.min(bytes - copied, length - sectionPosition);
            copySection(toAddress + copied, part);
            copied += (int) part;
            sectionPosition += part;
            if (sectionPosition == length) {
                section++;
                sectionPosition = 0;
            }
        }
        bodyPosition += bytes;
    }

    /** {@return bytes of the section in the body; 0 for a buffer that the peer reads} */
    private long sectionLength() {
        return switch (section) {
            case PROLOGUE -> prologue.length;
            case PAYLOAD -> message.payload().length;
            default -> isRemote(buffer()) ? 0 : buffer().byteSize();
        };
    }

    private void copySection(long toAddress, long bytes) {
        int from = (int) sectionPosition;
        switch (section) {
            case PROLOGUE -> NativeMemory.copyOut(prologue, from, toAddress, (int) bytes);
            case PAYLOAD -> NativeMemory.copyOut(message.payload(), from, toAddress, (int) bytes);
            default -> NativeMemory.copyOut(buffer(), sectionPosition, toAddress, bytes);
        }
    }

    private MemorySegment buffer() {
        return message.buffers().get(section - FIRST_BUFFER);
    }

    /** Release the message: its memory is no longer read. */
    void release() {
        message.release();
    }
}
