package org.gradwire.backend.tensorpipe;

import org.gradwire.rpc.RpcException;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * Collects, under a send queue's lock, the actions to run after the lock is released: releases of
 * messages and reports of events.
 */
final class SendOutcomes {
    private record Failed(OutboundMessage message, RpcException failure) {}

    private List<OutboundMessage> finished = new ArrayList<>();
    private List<Failed> failed = new ArrayList<>();
    private boolean isWaiting;
    private boolean isBrokenReported;

    /** A frame has begun to wait for the sender. */
    void onWaiting() {
        isWaiting = true;
    }

    /** The sender is running, and need not be woken. */
    void onPumped() {
        isWaiting = false;
    }

    /** The queue no longer needs a message; a connection may still read it. */
    void onFinished(OutboundMessage message) {
        if (message.end()) {
            finished.add(message);
        }
    }

    /** The last reader of a finished message has ended. */
    void onRead(OutboundMessage message) {
        finished.add(message);
    }

    /** A message could not be read. */
    void onFailed(OutboundMessage message, RpcException failure) {
        failed.add(new Failed(message, failure));
        onFinished(message);
    }

    /** {@return whether actions are pending} */
    boolean isPending() {
        return isWaiting || !finished.isEmpty() || !failed.isEmpty();
    }

    /**
     * Return the collected actions, and forget them.
     *
     * @param broken the reason for which the log is unusable, reported once; null if it is usable
     * @return the actions, to run without the lock
     */
    Runnable take(SendQueue.Events events, @Nullable String broken) {
        List<OutboundMessage> released = finished;
        List<Failed> failures = failed;
        boolean wakesSender = isWaiting;
        String reason = isBrokenReported ? null : broken;
        finished = new ArrayList<>();
        failed = new ArrayList<>();
        isWaiting = false;
        isBrokenReported |= reason != null;
        return () -> {
            if (wakesSender) {
                events.onWaiting();
            }
            released.forEach(OutboundMessage::release);
            failures.forEach(each -> events.onFailed(each.message, each.failure));
            if (reason != null) {
                events.onBroken(reason);
            }
        };
    }
}
