package org.gradwire.backend.tensorpipe;

import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.logbuffer.BufferClaim;

import org.agrona.MutableDirectBuffer;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.jspecify.annotations.Nullable;

/**
 * Writes frames straight into the space that it claims in a log.
 *
 * <p>Guarded by its {@link Outbox}'s lock, except where said.
 */
final class FrameWriter {
    private static final int ATTEMPTS = 3;
    private static final int CHUNK_ALIGNMENT = 64;

    /** Who is woken may take the writer's core, which gets it back when that one sleeps again. */
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
    private int untoldBytes;
    private @Nullable String broken;

    /**
     * Begin without a log, as with one that takes nothing at the moment.
     *
     * @param maxFrame bytes of the longest frame
     */
    FrameWriter(int maxFrame) {
        this.maxFrame = maxFrame;
        maxPart = (maxFrame - ChunkFrame.PART_OFFSET) & -CHUNK_ALIGNMENT;
    }

    /**
     * Write to a log from now on.
     *
     * @param readersBell of who reads the log, rung after each frame that is urgent
     * @param limitersBell of the driver, rung when the limit of the log comes near; null when the
     *     driver reads the log and so need not be told
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

    /** {@return whether the peer's subscription has been seen; for any thread} */
    boolean isConnected() {
        ExclusivePublication log = publication;
        return log != null && log.isConnected();
    }

    /** {@return when the last frame was written; for any thread} */
    long lastWriteNanos() {
        return lastWriteNanos;
    }

    /** {@return why the log is of no use any more, if so} */
    @Nullable String broken() {
        return broken;
    }

    /** Write no more: the log is of no use. */
    void giveUp(String reason) {
        if (broken == null) {
            broken = reason;
        }
    }

    boolean fitsOneFrame(Outgoing message) {
        return fitsOneFrame(message.bodyLength());
    }

    private boolean fitsOneFrame(long bodyLength) {
        return bodyLength <= maxFrame - MessageFrame.BODY_OFFSET;
    }

    /** {@return whether there was room for the frame} */
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
     * {@return whether a message that has a payload alone fits a frame, and there was room for it}
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
        ring();
        return true;
    }

    /**
     * Write a message, or the next frame of one that does not fit a single one.
     *
     * @return whether there was room for it
     * @throws RpcException when the message's memory cannot be read
     */
    boolean write(Outgoing message) {
        if (fitsOneFrame(message)) {
            return writeWhole(message);
        }
        return message.isStarted() ? writeChunk(message) : writeStart(message);
    }

    private boolean writeWhole(Outgoing message) {
        int bodyLength = (int) message.bodyLength();
        if (!claim(MessageFrame.BODY_OFFSET + bodyLength)) {
            return false;
        }
        MessageFrame.encode(claim.buffer(), claim.offset(), message);
        copyOut(message, MessageFrame.BODY_OFFSET, bodyLength);
        commit();
        ring();
        message.start();
        return true;
    }

    private boolean writeStart(Outgoing message) {
        if (!claim(MessageStartFrame.LENGTH)) {
            return false;
        }
        MessageStartFrame.encode(claim.buffer(), claim.offset(), message);
        commit();
        ring();
        message.start();
        return true;
    }

    private boolean writeChunk(Outgoing message) {
        long position = message.bodyPosition();
        int part = (int) Math.min(maxPart, message.bodyLength() - position);
        if (!claim(ChunkFrame.PART_OFFSET + part)) {
            return false;
        }
        ChunkFrame.encode(claim.buffer(), claim.offset(), message.transfer(), position, part);
        copyOut(message, ChunkFrame.PART_OFFSET, part);
        claim.commit();
        untoldBytes += part;
        if (untoldBytes >= RING_BYTES) {
            tell();
        }
        return true;
    }

    /** Ring for the chunks for which that was put off, as each ring waits for all writes before. */
    void tell() {
        if (untoldBytes > 0) {
            untoldBytes = 0;
            lastWriteNanos = System.nanoTime();
            ring();
        }
    }

    private void copyOut(Outgoing message, int frameOffset, int bytes) {
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
            broken = "its subscription is gone";
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
