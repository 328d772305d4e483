package org.gradwire.conformance.mutants;

import org.gradwire.spi.AgentContext;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.Message;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.RpcAgent;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A backend that is broken on purpose: a fault as a decorator of a correct backend. The rules it
 * breaks must kill it; this tests the kit.
 *
 * @param name such as {@code LOSES_A_REPLY}
 * @param breaks ids of the rules that must kill it; it was written for the first
 * @param wrap adds the fault to a correct backend
 */
public record Mutant(String name, List<String> breaks, UnaryOperator<BackendProvider> wrap) {

    /** Key of {@code debugInfo} with the port at which a mutant accepts connections. */
    public static final String PORT_KEY = "mutant.port";

    /** Processes a received reply. */
    @FunctionalInterface
    interface OnReply {
        void accept(ReplyHandler handler, Message reply);
    }

    public Mutant {
        breaks = List.copyOf(breaks);
    }

    static Mutant of(String name, List<String> breaks, UnaryOperator<BackendProvider> wrap) {
        return new Mutant(name, breaks, wrap);
    }

    /** Create a mutant that wraps each agent. */
    static Mutant ofAgents(String name, List<String> breaks, UnaryOperator<RpcAgent> wrap) {
        return ofAgents(name, breaks, (_, agent) -> wrap.apply(agent));
    }

    /** Create a mutant that wraps each agent and knows its context. */
    static Mutant ofAgents(
            String name, List<String> breaks, BiFunction<AgentContext, RpcAgent, RpcAgent> wrap) {
        return of(
                name,
                breaks,
                sound ->
                        new MutantProvider(sound) {
                            @Override
                            public RpcAgent create(AgentContext context) {
                                return wrap.apply(context, super.create(context));
                            }
                        });
    }

    /** Create a mutant that changes the context of each agent. */
    static Mutant ofContexts(String name, List<String> breaks, UnaryOperator<AgentContext> change) {
        return of(
                name,
                breaks,
                sound ->
                        new MutantProvider(sound) {
                            @Override
                            public RpcAgent create(AgentContext context) {
                                return super.create(change.apply(context));
                            }
                        });
    }

    /** Create a mutant that changes how replies are delivered; each agent gets its own instance. */
    static Mutant ofReplies(String name, List<String> breaks, Supplier<OnReply> mutants) {
        return ofAgents(
                name,
                breaks,
                agent -> {
                    OnReply mutant = mutants.get();
                    return new MutantAgent(agent) {
                        @Override
                        void onReply(ReplyHandler handler, Message reply) {
                            mutant.accept(handler, reply);
                        }
                    };
                });
    }

    /** Create a mutant that changes received requests. */
    static Mutant ofRequests(String name, List<String> breaks, Function<Message, Message> change) {
        return ofAgents(
                name,
                breaks,
                agent ->
                        new MutantAgent(agent) {
                            @Override
                            void onRequest(Incoming request) {
                                request.with(change.apply(request.message())).handIn();
                            }
                        });
    }

    @Override
    public String toString() {
        return name;
    }
}
