package org.gradwire.tensor.storage;

import static org.gradwire.tensor.testing.FailureAssertions.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.Objects.requireNonNull;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.memory.NativeMemory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Large tensors: the same results, and memory that comes back. */
class NativeMemoryTest {
    private static final int LARGE = 300_000;

    private final SplittableRandom random = new SplittableRandom(11);

    private static NativeMemory pool() {
        NativeMemory pool = NativeMemory.installed();
        assertNotNull(pool);
        return pool;
    }

    @AfterEach
    void noScopeIsLeftOpen() {
        assertEquals(null, ThreadState.current().scope);
    }

    @Test
    void largeTensorsLiveInNativeMemoryAndSmallOnesOnTheHeap() {
        assertTrue(TensorAccess.storage(Tensor.zeros(LARGE)).isNative());
        assertFalse(TensorAccess.storage(Tensor.zeros(100)).isNative());
        assertEquals(0, Tensor.zeros(LARGE).sum().item());
        assertEquals(0, TensorAccess.storage(Tensor.zeros(LARGE)).segment().address() % 64);
    }

    /** Each operator on a large tensor against the same on its halves, which live on the heap. */
    @Test
    void nativeAndHeapTensorsGiveTheSameResults() {
        int rows = 2 * 100;
        Tensor x = Tensor.rand(random, rows, 700);
        Tensor y = Tensor.rand(random, rows, 700);
        Tensor bias = Tensor.rand(random, 700);
        assertTrue(TensorAccess.storage(x).isNative());
        Tensor all = computed(x, y, bias);
        for (int part = 0; part < 10; part++) {
            Tensor expected =
                    computed(
                            x.narrow(0, part * 20, 20).copy(),
                            y.narrow(0, part * 20, 20).copy(),
                            bias);
            assertFalse(TensorAccess.storage(expected).isNative());
            assertTrue(all.narrow(0, part * 20, 20).allclose(expected), "part " + part);
        }
        assertTrue(x.t().contiguous().t().equal(x));
        assertTrue(x.sum(0).allclose(x.t().contiguous().sum(1), 1e-4, 1e-4));
    }

    private static Tensor computed(Tensor x, Tensor y, Tensor bias) {
        return x.add(bias).mul(y).sub(0.5).exp().tanh().logSoftmax(1).add(x.t().t().relu());
    }

    @Test
    void scopeGivesMemoryBack() {
        Tensor x = Tensor.rand(random, LARGE);
        Tensor inside;
        long inUse;
        try (var _ = TensorScope.open()) {
            inside = x.add(x).mul(x);
            inUse = pool().bytesInUse();
        }
        assertTrue(pool().bytesInUse() <= inUse - 2 * 4 * LARGE);
        assertFails(IllegalStateException.class, "TensorScope was closed", inside::sum);
        assertFails(IllegalStateException.class, "TensorScope was closed", () -> inside.get(0));
    }

    @Test
    void keptTensorsOutliveTheirScope() {
        Tensor kept;
        Tensor inner;
        try (var outer = TensorScope.open()) {
            try (var scope = TensorScope.open()) {
                inner = scope.keep(Tensor.ones(LARGE));
                kept = outer.keep(scope.keep(Tensor.ones(LARGE)));
            }
            assertEquals(LARGE, inner.sum().item());
        }
        assertEquals(LARGE, kept.sum().item());
        assertFails(IllegalStateException.class, "TensorScope was closed", inner::sum);
    }

    @Test
    void tensorsMadeOutsideBelongToNoScope() {
        Tensor outside;
        Tensor inside;
        try (var _ = TensorScope.open()) {
            outside = TensorScope.outside(() -> Tensor.ones(LARGE));
            assertFails(
                    IllegalStateException.class,
                    "no more",
                    () ->
                            TensorScope.outside(() -> {
                                throw new IllegalStateException("no more");
                            }));
            inside = Tensor.ones(LARGE);
        }
        assertEquals(LARGE, outside.sum().item());
        assertFails(IllegalStateException.class, "TensorScope was closed", inside::sum);
    }

    @Test
    void tensorsOfElsewhereEndWithTheScopeTheyWereAddedTo() {
        Tensor loose = TensorScope.outside(() -> Tensor.ones(LARGE));
        Tensor small = Tensor.ones(3);
        Tensor outer;
        try (var scope = TensorScope.open()) {
            outer = Tensor.ones(LARGE);
            try (var inner = TensorScope.open()) {
                assertEquals(loose, inner.add(loose));
                inner.add(loose);
                inner.add(small);
                inner.add(outer);
            }
            assertEquals(LARGE, outer.sum().item(), "it belonged to a scope already");
            assertFails(IllegalStateException.class, "TensorScope was closed", loose::sum);
            assertFails(
                    IllegalStateException.class,
                    "TensorScope was closed",
                    () -> scope.add(loose).sum());
        }
        assertFails(IllegalStateException.class, "TensorScope was closed", outer::sum);
        assertEquals(3, small.sum().item());
    }

    @Test
    void addedSparseTensorEndsWithItsParts() {
        Tensor values = Tensor.ones(LARGE);
        Tensor indices = Tensor.arange(LARGE).reshape(1, LARGE);
        Tensor sparse = Tensor.sparseCoo(indices, values, LARGE);
        try (var scope = TensorScope.open()) {
            scope.add(sparse);
        }
        assertFails(IllegalStateException.class, "TensorScope was closed", values::sum);
        assertFails(IllegalStateException.class, "TensorScope was closed", sparse::toDense);
    }

    @Test
    void wrappedMemoryIsNotOursToEnd() {
        Tensor wrapped = Tensor.wrap(DType.FLOAT32, Arena.ofAuto().allocate(4L * LARGE, 64), LARGE);
        try (var scope = TensorScope.open()) {
            scope.add(wrapped);
        }
        assertEquals(0, wrapped.sum().item());
    }

    @Test
    void scopeThatWasLeftGivesBackLater() throws Exception {
        Tensor inside;
        Runnable givesBack;
        var scope = TensorScope.open();
        inside = Tensor.ones(LARGE);
        givesBack = scope.leave();
        assertEquals(LARGE, inside.sum().item());
        assertFails(IllegalStateException.class, "until it is closed", () -> scope.add(inside));
        assertFails(IllegalStateException.class, "inner ones first", scope::leave);
        scope.close();
        assertEquals(LARGE, inside.sum().item(), "closing it afterwards does nothing");
        Thread other = Thread.ofPlatform().start(givesBack);
        other.join();
        assertFails(IllegalStateException.class, "TensorScope was closed", inside::sum);
        givesBack.run();
    }

    @Test
    void gradientsForgottenInTheirScopeAreGivenBack() {
        Tensor w = Tensor.ones(LARGE).requiresGrad(true);
        long before = pool().bytesInUse();
        Tensor gradient;
        try (var _ = TensorScope.open()) {
            w.mul(2).sum().backward();
            gradient = requireNonNull(w.grad());
            w.grad(null);
        }
        assertTrue(pool().bytesInUse() <= before);
        assertFails(IllegalStateException.class, "TensorScope was closed", gradient::sum);
    }

    @Test
    void gradientsOutliveTheirScope() {
        Tensor w = Tensor.ones(LARGE).requiresGrad(true);
        for (int pass = 1; pass <= 2; pass++) {
            try (var _ = TensorScope.open()) {
                w.mul(2).sum().backward();
            }
            Tensor gradient = w.grad();
            assertNotNull(gradient);
            assertTrue(TensorAccess.storage(gradient).isNative());
            assertEquals(2.0 * pass * LARGE, gradient.sum().item());
        }
    }

    @Test
    void memoryUnderAMessageIsNotFreedByAScope() {
        Storage sent;
        try (var _ = TensorScope.open()) {
            sent = TensorAccess.storage(Tensor.ones(LARGE));
            sent.retain();
        }
        sent.retain(); // fails once it was released
        sent.release();
        long inside = pool().bytesInUse();
        sent.release();
        assertTrue(pool().bytesInUse() < inside);
        assertFails(IllegalStateException.class, "released already", sent::retain);
    }

    @Test
    void scopeBelongsToItsThread() {
        var scope = TensorScope.open();
        var inner = TensorScope.open();
        assertFails(IllegalStateException.class, "inner ones first", scope::close);
        var elsewhere = new FutureTask<@Nullable Void>(inner::close, null);
        Thread.startVirtualThread(elsewhere);
        assertFails(ExecutionException.class, "by the thread that opened it", elsewhere::get);
        inner.close();
        scope.close();
        scope.close();
    }

    /** Without any scope, memory is collected before it runs away. */
    @Test
    void unreachableMemoryIsCollected() {
        int rounds = 2000;
        Tensor x = Tensor.ones(1 << 20);
        long before = pool().bytesInUse();
        long most = 0;
        for (int i = 0; i < rounds; i++) {
            assertEquals(2, x.add(x).get(i));
            most = Math.max(most, pool().bytesInUse() - before);
        }
        long all = (4L << 20) * rounds;
        assertTrue(most < all / 2, "of %d MiB %d were in use".formatted(all >> 20, most >> 20));
    }
}
