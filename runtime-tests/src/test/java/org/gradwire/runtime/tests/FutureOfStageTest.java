package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/** Futures created from completion stages of the JDK. */
@Timeout(60)
class FutureOfStageTest {

    @Test
    void completesWithTheValue() throws Exception {
        InprocGroup.runFirst(
                1,
                rpc -> {
                    var stage = new CompletableFuture<String>();
                    RpcFuture<String> future = rpc.future(stage);
                    assertFalse(future.isDone());
                    stage.complete("value");
                    assertEquals("value", future.join());
                });
    }

    @Test
    void uncheckedFailureKeepsItsType() throws Exception {
        InprocGroup.runFirst(
                1,
                rpc -> {
                    var failure = new IllegalStateException("broken");
                    var stage = new CompletableFuture<String>();
                    RpcFuture<String> dependent = rpc.future(stage.thenApply(text -> text));
                    stage.completeExceptionally(failure);
                    assertSame(failure, assertThrows(RuntimeException.class, dependent::join));
                    RpcFuture<String> direct = rpc.future(stage);
                    assertSame(failure, assertThrows(RuntimeException.class, direct::join));
                });
    }

    @Test
    void checkedFailureIsTheCause() throws Exception {
        InprocGroup.runFirst(
                1,
                rpc -> {
                    var failure = new IOException("no such file");
                    RpcFuture<String> future = rpc.future(CompletableFuture.failedStage(failure));
                    RpcException thrown = assertThrows(RpcException.class, future::join);
                    assertSame(failure, thrown.getCause());
                    assertEquals("java.io.IOException: no such file", thrown.getMessage());
                });
    }

    @Test
    void cancellationDoesNotAffectTheStage() throws Exception {
        InprocGroup.runFirst(
                1,
                rpc -> {
                    var stage = new CompletableFuture<String>();
                    RpcFuture<String> future = rpc.future(stage);
                    assertTrue(future.cancel());
                    assertFalse(stage.isCancelled());
                    assertTrue(stage.complete("too late"));
                    assertThrows(RpcException.class, future::join);
                });
    }
}
