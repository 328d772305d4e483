package org.gradwire.spi;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The part of an extension that belongs to one worker, created by a {@link RpcExtensionProvider}
 * before the worker joins its group.
 */
public interface RpcExtension extends AutoCloseable {

    /** {@return codecs of additional types of values} */
    default List<ValueCodec<?>> codecs() {
        return List.of();
    }

    /** {@return interceptors of calls} */
    default List<CallInterceptor> interceptors() {
        return List.of();
    }

    /** {@return observers of calls} */
    default List<CallObserver> observers() {
        return List.of();
    }

    /** {@return handlers of the extension's own message types} */
    default List<RequestHandler> handlers() {
        return List.of();
    }

    /** {@return the allocator of received buffers; at most one extension may have one} */
    default Optional<BufferAllocator> allocator() {
        return Optional.empty();
    }

    /** {@return the arena of calls; at most one extension may have one} */
    default Optional<CallArena> callArena() {
        return Optional.empty();
    }

    /** {@return metrics for {@link org.gradwire.rpc.Rpc#debugInfo}} */
    default Map<String, String> debugInfo() {
        return Map.of();
    }

    /**
     * Handle the join of the worker, before its {@code init} returns. May send requests and wait
     * for their replies.
     *
     * @throws org.gradwire.rpc.RpcException if the worker must not be a member; its {@code init}
     *     fails with this exception
     */
    default void onJoined() {}

    /**
     * Handle the join of another worker of a dynamic group after this one. Runs on a thread that
     * may block.
     */
    default void onPeerJoined(WorkerInfo peer) {}

    /** Handle the loss of a member of the group. Runs on a thread that may block. */
    default void onPeerLost(int peer, RpcException reason) {}

    /** Release the resources of the extension. Called once, after the worker has stopped. */
    @Override
    default void close() {}
}
