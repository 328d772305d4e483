package org.gradwire.backend.tensorpipe;

import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.logbuffer.BufferClaim;

import org.agrona.MutableDirectBuffer;
import org.gradwire.backend.tensorpipe.frame.ChunkFrame;
import org.gradwire.backend.tensorpipe.frame.ControlFrame;
import org.gradwire.backend.tensorpipe.frame.MessageFrame;
import org.gradwire.backend.tensorpipe.frame.MessageStartFrame;
import org.gradwire.backend.tensorpipe.os.Doorbell;
import org.gradwire.backend.tensorpipe.os.NativeMemory;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.MessageTypes;
import org.jspecify.annotations.Nullable;

/**
 * Writes frames into space that it claims in a log, without a copy.
 *
 * <p>Guarded by its {@link SendQueue}'s lock unless noted.
 */
final class FrameWriter {
    private static final int ATTEMPTS = 3;
    private static final int CHUNK_ALIGNMENT = 64;

    /**
     * Bytes between two rings for chunks: a woken reader may take the writer's core until it sleeps
     * again.
     */
    private static final int RING_BYTES = 128 * 1024;

    // Aeron lets writers be half a term ahead of readers.
    private static final int LOW_WINDOWS_PER_TERM = 4;

    private volatile @Nullable ExclusivePublication publication;
    private final BufferClaim claim = new BufferClaim();
    private @Nullable Doorbell bell;
    private @Nullable Doorbell driverBell;
    private long lowWindow;
    private final int maxFrame;
    private final int maxPart;
    private volatile long lastWriteNanos = System.nanoTime();
    private int unrungBytes;
    private @Nullable String broken;

    /**
     * Create a writer without a log, which behaves as if the log were full.
     *
     * @param maxFrame bytes of the longest frame
     */
    FrameWriter(int maxFrame) {
        this.maxFrame = maxFrame;
        maxPart = (maxFrame - ChunkFrame.PART_OFFSET) & -CHUNK_ALIGNMENT;
    }

    /**
     * Attach the log.
     *
     * @param readersBell the reader's doorbell, rung after each urgent frame
     * @param limitersBell the driver's doorbell, rung near the limit of the log; null if the driver
     *     itself reads the log
     */
    void attach(
            ExclusivePublication log,
            @Nullable Doorbell readersBell,
            @Nullable Doorbell limitersBell) {
        bell = readersBell;
        driverBell = limitersBell;
        lowWindow = log.termBufferLength() / LOW_WINDOWS_PER_TERM;
        publication = log;
    }

    /** {@return whether the log is connected to the peer's subscription; for any thread} */
    boolean isConnected() {
        ExclusivePublication log = publication;
        return log != null && log.isConnected();
    }

    /** {@return the time of the last write; for any thread} */
    long lastWriteNanos() {
        return lastWriteNanos;
    }

    /** {@return the reason for which the log is unusable; null if it is usable} */
    @Nullable String broken() {
        return broken;
    }

    /** Mark the log as unusable. */
    void giveUp(String reason) {
        if (broken == null) {
            broken = reason;
        }
    }

    boolean fitsOneFrame(OutboundMessage message) {
        return fitsOneFrame(message.bodyLength());
    }

    private boolean fitsOneFrame(long bodyLength) {
        return bodyLength <= maxFrame - MessageFrame.BODY_OFFSET;
    }

    /** {@return whether the frame was written: there was room for it} */
    boolean write(ControlFrame frame) {
        if (!claim(frame.encodedLength())) {
            return false;
        }
        frame.encode(claim.buffer(), claim.offset());
        commit();
        if (frame.isUrgent()) {
            ring();
        }
        return true;
    }

    /**
     * {@return whether a message without buffers was written: it fits a frame, and there was room
     * for it}
     */
    boolean write(long id, int type, byte[] payload) {
        if (!fitsOneFrame(payload.length) || !claim(MessageFrame.BODY_OFFSET + payload.length)) {
            return false;
        }
        MutableDirectBuffer buffer = claim.buffer();
        MessageFrame.encode(buffer, claim.offset(), id, type, payload.length);
        long body = buffer.addressOffset() + claim.offset() + MessageFrame.BODY_OFFSET;
        NativeMemory.copyOut(payload, 0, body, payload.length);
        commit();
        ring(type);
        return true;
    }

    /**
     * Write a message, or the next frame of a message that does not fit one frame.
     *
     * @return whether there was room for it
     * @throws RpcException when the message's memory cannot be read
     */
    boolean write(OutboundMessage message) {
        if (fitsOneFrame(message)) {
            return writeWhole(message);
        }
        return message.isStarted() ? writeChunk(message) : writeStart(message);
    }

    private boolean writeWhole(OutboundMessage message) {
        int bodyLength = (int) message.bodyLength();
        if (!claim(MessageFrame.BODY_OFFSET + bodyLength)) {
            return false;
        }
        MessageFrame.encode(claim.buffer(), claim.offset(), message);
        copyOut(message, MessageFrame.BODY_OFFSET, bodyLength);
        commit();
        ring(message.type());
        message.start();
        return true;
    }

    private boolean writeStart(OutboundMessage message) {
        if (!claim(MessageStartFrame.LENGTH)) {
            return false;
        }
        MessageStartFrame.encode(claim.buffer(), claim.offset(), message);
        commit();
        ring();
        message.start();
        return true;
    }

    private boolean writeChunk(OutboundMessage message) {
        long position = message.bodyPosition();
        int part = (int) Math.min(maxPart, message.bodyLength() - position);
        if (!claim(ChunkFrame.PART_OFFSET + part)) {
            return false;
        }
        ChunkFrame.encode(claim.buffer(), claim.offset(), message.transfer(), position, part);
        copyOut(message, ChunkFrame.PART_OFFSET, part);
        claim.commit();
        unrungBytes += part;
        if (unrungBytes >= RING_BYTES) {
            ringForChunks();
        }
        return true;
    }

    /**
     * Ring for the chunks written so far; deferred, since each ring waits for all writes before it.
     */
    void ringForChunks() {
        if (unrungBytes > 0) {
            unrungBytes = 0;
            lastWriteNanos = System.nanoTime();
            ring();
        }
    }

    private void copyOut(OutboundMessage message, int frameOffset, int bytes) {
        MutableDirectBuffer buffer = claim.buffer();
        try {
            message.copyOut(buffer.addressOffset() + claim.offset() + frameOffset, bytes);
        } catch (RuntimeException e) {
            claim.abort();
            throw new RpcException(
                    RpcErrorKind.REFUSED,
                    "the memory of a message's buffer could not be read: " + e,
                    e);
        }
    }

    private void commit() {
        claim.commit();
        lastWriteNanos = System.nanoTime();
    }

    private void ring(int messageType) {
        if (bell != null) {
            bell.ring(!MessageTypes.isPatient(messageType));
        }
    }

    private void ring() {
        if (bell != null) {
            bell.ring();
        }
    }

    private boolean claim(int length) {
        ExclusivePublication log = publication;
        if (log == null) {
            return false;
        }
        long result = Publication.ADMIN_ACTION;
        for (int i = 0; i < ATTEMPTS && result == Publication.ADMIN_ACTION; i++) {
            result = log.tryClaim(length, claim);
        }
        if (driverBell != null
                && (result == Publication.BACK_PRESSURED
                        || log.positionLimit() - result < lowWindow)) {
            driverBell.ring();
        }
        if (result == Publication.NOT_CONNECTED) {
            broken = "its subscription was closed";
        } else if (result == Publication.CLOSED) {
            broken = "the log was closed";
        } else if (result == Publication.MAX_POSITION_EXCEEDED) {
            broken = "the log has reached its greatest position";
        }
        return result > 0;
    }

    void close() {
        ExclusivePublication log = publication;
        if (log != null) {
            log.close();
        }
    }
}
