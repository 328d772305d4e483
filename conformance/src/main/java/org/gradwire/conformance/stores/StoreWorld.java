package org.gradwire.conformance.stores;

import org.gradwire.spi.Store;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The clients and threads of one check. The client with the id 0 is opened first. */
final class StoreWorld implements AutoCloseable {
    private final StoreUnderTest under;
    private final String address;
    private final Random random;
    private final List<Store> open = new ArrayList<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    StoreWorld(StoreUnderTest under, long seed) {
        this.under = under;
        address = under.addresses().get();
        random = new Random(seed);
        open.add(under.open(address, 0));
    }

    StoreUnderTest under() {
        return under;
    }

    String address() {
        return address;
    }

    Random random() {
        return random;
    }

    Duration patience() {
        return under.patience();
    }

    Store first() {
        return open.getFirst();
    }

    /** Open the store as another worker. */
    Store another() {
        Store store = under.open(address, open.size());
        open.add(store);
        return store;
    }

    <T> Future<T> start(Callable<T> task) {
        return threads.submit(task);
    }

    /** {@return the result of a task, which must end in time} */
    <T extends @Nullable Object> T end(Future<T> task, String what) {
        try {
            return task.get(patience().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            task.cancel(true);
            throw new AssertionError(
                    "%s did not end within %d ms".formatted(what, patience().toMillis()), e);
        } catch (ExecutionException e) {
            throw new AssertionError("%s failed: %s".formatted(what, e.getCause()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation would add a dependency to the kit
    static void check(boolean holds, String text, @Nullable Object... values) {
        if (!holds) {
            throw new AssertionError(text.formatted(values));
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        open.reversed().forEach(Store::close); // the one that may serve it comes last
    }
}
