package com.example.socket.test;

import org.gradwire.spi.Message;
import org.gradwire.spi.ReplyHandler;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The outcome of a request. */
final class Reply implements ReplyHandler {
    private static final int MOST_SECONDS = 20;

    private final CompletableFuture<Message> end = new CompletableFuture<>();

    @Override
    public void onReply(Message reply) {
        end.complete(reply);
    }

    @Override
    public void onFailure(RuntimeException failure) {
        end.completeExceptionally(failure);
    }

    /** Wait for the end; {@return whether it was a reply} */
    boolean isReply() throws InterruptedException, TimeoutException {
        try {
            end.get(MOST_SECONDS, TimeUnit.SECONDS);
            return true;
        } catch (ExecutionException _) {
            return false;
        }
    }
}
