package org.gradwire.runtime;

import org.gradwire.spi.IncomingRequest;
import org.gradwire.spi.Input;
import org.gradwire.spi.Output;
import org.gradwire.spi.RequestHandler;

import java.util.List;
import java.util.function.Consumer;

/** A request of an extension's own type. */
final class HandledRequest implements IncomingRequest {
    private final Exchange exchange;
    private final Input body;

    HandledRequest(Exchange exchange, Input body) {
        this.exchange = exchange;
        this.body = body;
    }

    void run(RequestHandler handler) {
        try {
            handler.handle(this);
        } catch (RuntimeException | Error failure) {
            exchange.fail(failure);
        }
    }

    @Override
    public int from() {
        return exchange.from();
    }

    @Override
    public Input body() {
        return body;
    }

    @Override
    public void reply(int type, Consumer<Output> writer) {
        exchange.reply(type, List.of(), writer);
    }

    @Override
    public void fail(Throwable failure) {
        exchange.fail(failure);
    }

    @Override
    public Runnable keepCounting() {
        return exchange.keepCounting();
    }
}
