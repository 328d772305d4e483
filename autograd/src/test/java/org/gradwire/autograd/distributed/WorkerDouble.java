package org.gradwire.autograd.distributed;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.Input;
import org.gradwire.spi.Settings;
import org.gradwire.spi.Worker;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A worker that has an identity and settings, and whose requests all fail. */
final class WorkerDouble {
    /** The destinations of the requests. */
    final List<Integer> asked = new ArrayList<>();

    /** The text of each failure. */
    String failure = "";

    Worker worker() {
        return proxy(
                Worker.class,
                (_, method, args) ->
                        switch (method.getName()) {
                            case "self" -> new WorkerInfo(0, "worker0");
                            case "incarnation" -> 0;
                            case "settings" -> new NoTime();
                            case "isServing" -> false;
                            case "requestWithRetries" -> {
                                asked.add((Integer) args[0]);
                                yield failed();
                            }
                            default -> throw new UnsupportedOperationException(method.getName());
                        });
    }

    @SuppressWarnings("unchecked") // the callbacks of a future take the future
    private RpcFuture<Input> failed() {
        return proxy(
                RpcFuture.class,
                (self, method, args) ->
                        switch (method.getName()) {
                            case "onDone" -> {
                                ((RpcFuture.Consumer<Object>) args[0])
                                        .accept((RpcFuture<Object>) self);
                                yield null;
                            }
                            case "value" -> throw new RpcException(failure);
                            default -> throw new UnsupportedOperationException(method.getName());
                        });
    }

    private static <T> T proxy(Class<T> type, InvocationHandler methods) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, methods));
    }

    /** All times are zero. */
    private static final class NoTime implements Settings {
        @Override
        public Optional<String> find(String key) {
            return Optional.of("0s");
        }

        @Override
        public String origin(String key) {
            return "the test";
        }
    }
}
