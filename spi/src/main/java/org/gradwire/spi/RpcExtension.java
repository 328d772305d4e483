package org.gradwire.spi;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What an extension adds to one worker. Made by a {@link RpcExtensionProvider} before the worker
 * joins its group.
 */
public interface RpcExtension extends AutoCloseable {

    /** {@return codecs of values that may travel from now on} */
    default List<ValueCodec<?>> codecs() {
        return List.of();
    }

    /** {@return interceptors of calls} */
    default List<CallInterceptor> interceptors() {
        return List.of();
    }

    /** {@return who wants to learn of calls} */
    default List<CallObserver> observers() {
        return List.of();
    }

    /** {@return handlers of the extension's own message types} */
    default List<RequestHandler> handlers() {
        return List.of();
    }

    /** {@return where buffers are to be received; at most one extension may have one} */
    default Optional<BufferAllocator> allocator() {
        return Optional.empty();
    }

    /** {@return what gives back the memory of calls; at most one extension may have it} */
    default Optional<CallMemory> callMemory() {
        return Optional.empty();
    }

    /** {@return figures for {@link org.gradwire.rpc.Rpc#debugInfo}} */
    default Map<String, String> debugInfo() {
        return Map.of();
    }

    /**
     * Learn that the worker is a member of its group, before its {@code init} returns. May send
     * requests and wait for their answers.
     *
     * @throws org.gradwire.rpc.RpcException when the worker must not be one; its {@code init} fails
     *     with this
     */
    default void onJoined() {}

    /**
     * Learn that another worker has joined a dynamic group after this one. Runs on a thread that
     * may block.
     */
    default void onPeerJoined(WorkerInfo peer) {}

    /** Learn that a member of the group is lost. Runs on a thread that may block. */
    default void onPeerLost(int peer, RpcException reason) {}

    /** Release what the worker held. Called once, when the worker has stopped. */
    @Override
    default void close() {}
}
