package org.gradwire.backend.tensorpipe;

import org.gradwire.spi.ElementKind;
import org.gradwire.spi.Message;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A message on its way out: how its body is laid out, and how much of it has been written.
 *
 * <p>Made by the thread that sends; from then on guarded by its {@link Outbox}'s lock.
 */
final class Outgoing implements MessageFields {
    private static final long NO_SINGLE_COPY = Long.MAX_VALUE;
    private static final byte[] EMPTY = {};

    // The sections of a body; from FIRST_BUFFER on one for each buffer.
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
        expires = timeoutNanos > 0;
        deadlineNanos = nowNanos + Math.min(timeoutNanos, Long.MAX_VALUE / 2); // never wraps
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

    /** Lay the message out anew, without single copies, under another transfer number. */
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

    /** {@return a buffer that is left to the peer to read; null when there is none such} */
    @Nullable MemorySegment remoteBuffer(long index, long length) {
        if (index < 0 || index >= message.buffers().size()) {
            return null;
        }
        MemorySegment buffer = message.buffers().get((int) index);
        return isRemote(buffer) && buffer.byteSize() == length ? buffer : null;
    }

    /** A connection begins to read buffers. */
    void beginReading() {
        readers++;
    }

    /** {@return whether the message is to be released now, as it is done and nobody reads it} */
    boolean endReading() {
        return --readers == 0 && isDone;
    }

    /** {@return whether the message, which is done, may be released: nobody reads it} */
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

    /** {@return how much of the body was written} */
    long bodyPosition() {
        return bodyPosition;
    }

    boolean isWritten() {
        return isStarted && bodyPosition == bodyLength;
    }

    /** {@return whether there is a time after which it need not be sent any more} */
    boolean expires() {
        return expires;
    }

    boolean isExpired(long nowNanos) {
        return expires && nowNanos - deadlineNanos >= 0;
    }

    /**
     * Write the next bytes of the body, no more than are left.
     *
     * @throws RuntimeException when a buffer's memory was closed, or belongs to another thread
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

    /** {@return bytes of the section in the body; none for a buffer that the peer reads} */
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

    /** {@return bytes of the payload and all buffers} */
    long messageBytes() {
        return message.byteSize();
    }

    /** Tell the maker of the message that its memory is read no more. */
    void release() {
        message.release();
    }
}
