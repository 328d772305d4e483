package org.gradwire.autograd.distributed;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.gradwire.spi.CallScope;
import org.junit.jupiter.api.Test;

/** The context of calls whose requests have none. */
class RecordingInterceptorTest {
    private final ContextContainer contexts =
            new ContextContainer(new WorkerDouble().worker(), new LogDouble());
    private final RecordingInterceptor interceptor = new RecordingInterceptor(contexts);

    @Test
    void aWaitingThreadServesOthersOutsideOfItsContext() {
        assertNull(interceptor.scopeWithoutHeader(), "no context to leave");
        ContextState own = contexts.join(new ContextKey(1L << 48, 7), 1);
        contexts.enter(own);
        CallScope scope = interceptor.scopeWithoutHeader();
        assertNotNull(scope);
        Object entered = scope.enter();
        assertNull(contexts.currentOrNull());
        scope.exit(entered);
        assertSame(own, contexts.currentOrNull());
    }
}
