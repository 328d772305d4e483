package org.gradwire.autograd.distributed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.gradwire.rpc.RpcException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

import java.util.concurrent.Executor;

/** The passes of a context that may begin on a worker, and the end of those before. */
class ContextPassesTest {
    private static final int SELF = 0;
    private static final long OTHER = 1L << 48; // the first id of worker 1

    private final ContextPasses passes = new ContextPasses(7, SELF);

    /** A phase that does nothing. */
    private abstract static class Phase implements BackwardPhase {
        final long id;
        @Nullable RuntimeException failure;

        Phase(long id) {
            this.id = id;
        }

        @Override
        public long id() {
            return id;
        }

        @Override
        public Executor executor() {
            return Runnable::run;
        }

        @Override
        public boolean waitsFor(int worker) {
            return false;
        }

        @Override
        public void fail(RuntimeException cause) {
            failure = cause;
        }
    }

    private static final class Discovery extends Phase {
        Discovery(long id) {
            super(id);
        }

        @Override
        public boolean isDiscovery() {
            return true;
        }
    }

    private static final class Pass extends Phase {
        Pass(long id) {
            super(id);
        }

        @Override
        public boolean isDiscovery() {
            return false;
        }
    }

    private Discovery joinDiscovery(long id) {
        return passes.join(id, Discovery.class, _ -> new Discovery(id));
    }

    private Pass join(long id) {
        return passes.join(id, Pass.class, _ -> new Pass(id));
    }

    private static void refuses(String text, Executable action) {
        assertEquals(text, assertThrows(RpcException.class, action).getMessage());
    }

    @Test
    void passesOfAContextRunOneAfterAnother() {
        Pass first = passes.begin(1, () -> new Pass(1));
        refuses(
                "a backward pass of autograd context 7 is running on worker 0; a context runs one pass at a time",
                () -> passes.begin(2, () -> new Pass(2)));
        assertSame(first, passes.current());
        passes.ended(first);
        assertNull(passes.current());
        assertSame(passes.begin(2, () -> new Pass(2)), passes.current());
        assertNull(first.failure);
    }

    @Test
    void messageThatComesAgainFindsThePassThatItBegan() {
        Pass pass = join(OTHER);
        assertSame(pass, join(OTHER));
        passes.ended(pass);
        assertSame(pass, join(OTHER));
        assertNull(passes.current());
    }

    @Test
    void newerPassEndsOneThatStillWaits() {
        Pass stale = join(OTHER);
        Pass next = join(OTHER + 1);
        assertSame(next, passes.current());
        assertEquals(
                "the backward pass %d of autograd context 7 was cancelled: pass %d has begun"
                        .formatted(OTHER, OTHER + 1),
                failure(stale).getMessage());
        refuses(
                "the backward pass %d of autograd context 7 has ended on worker 0".formatted(OTHER),
                () -> join(OTHER));
    }

    private static Throwable failure(Phase phase) {
        RuntimeException failure = phase.failure;
        return failure == null ? new AssertionError("the phase has not failed") : failure;
    }

    @Test
    void passFollowsItsDiscovery() {
        Discovery found = joinDiscovery(OTHER);
        Pass pass =
                passes.join(
                        OTHER,
                        Pass.class,
                        before -> {
                            assertSame(found, before);
                            return new Pass(OTHER);
                        });
        assertSame(pass, passes.current());
        assertNull(found.failure);
    }

    @Test
    void aLateCopyOfADiscoveryDoesNotReplaceThePassThatFollowed() {
        joinDiscovery(OTHER);
        Pass pass = join(OTHER);
        refuses(
                "the discovery of the backward pass %d of autograd context 7 has ended on worker 0"
                        .formatted(OTHER),
                () -> joinDiscovery(OTHER));
        assertSame(pass, passes.current());
        passes.ended(pass);
        refuses(
                "the backward pass %d of autograd context 7 has ended on worker 0".formatted(OTHER),
                () -> joinDiscovery(OTHER));
    }

    @Test
    void discoveryOfAnotherWorkerGivesWayToAPassThatBeginsHere() {
        Discovery stale = joinDiscovery(OTHER);
        Discovery own = passes.begin(5, () -> new Discovery(5));
        assertSame(own, passes.current());
        assertEquals(
                "the backward pass %d of autograd context 7 was cancelled: pass 5 has begun"
                        .formatted(OTHER),
                failure(stale).getMessage());
        assertSame(passes.proceed(own, () -> new Pass(5)), passes.current());
    }

    @Test
    void discoveryThatWasGivenUpDoesNotProceed() {
        Discovery own = passes.begin(5, () -> new Discovery(5));
        join(OTHER);
        refuses(
                "the backward pass 5 of autograd context 7 was cancelled",
                () -> passes.proceed(own, () -> new Pass(5)));
    }

    /** Ids are drawn before passes begin, so two threads may begin passes in any order of ids. */
    @Test
    void passUnderWayIsFoundThoughOneWithALaterIdHasEnded() {
        passes.ended(passes.begin(6, () -> new Pass(6)));
        Pass earlier = passes.begin(5, () -> new Pass(5));
        assertSame(earlier, join(5));
    }

    @Test
    void noPassBeginsAfterTheRelease() {
        passes.release();
        RpcException refused =
                assertThrows(RpcException.class, () -> passes.begin(1, () -> new Pass(1)));
        assertEquals(
                "the autograd context was released, by another thread or because a backward pass failed; open a new one",
                refused.getMessage());
        assertEquals(
                refused.getMessage(),
                assertThrows(RpcException.class, () -> join(OTHER)).getMessage());
    }
}
