package org.gradwire.runtime.call;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.RequestHandler;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The handlers of requests that are not calls, by message type. */
final class RequestHandlers {
    private final Map<Integer, RequestHandler> byType = new HashMap<>();

    /**
     * Register handlers.
     *
     * @throws RpcConfigurationException if two handle the same type
     */
    RequestHandlers(List<RequestHandler> handlers) {
        for (RequestHandler handler : handlers) {
            if (byType.put(handler.requestType(), handler) != null) {
                throw new RpcConfigurationException(
                        "two extensions handle messages of type "
                                + MessageTypes.name(handler.requestType()));
            }
        }
    }

    /**
     * Return the handler of a type.
     *
     * @throws RpcException if there is none
     */
    RequestHandler of(int type) {
        RequestHandler handler = byType.get(type);
        if (handler == null) {
            throw new RpcException(
                    RpcErrorKind.UNDECODABLE,
                    "there is no handler for messages of type " + MessageTypes.name(type));
        }
        return handler;
    }
}
