package org.gradwire.conformance.flaws;

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
 * A way in which a backend can be broken, as something put around a sound one. Each is there to be
 * caught by the rules it breaks: this is how the kit is tested.
 *
 * @param name such as {@code LOSES_A_REPLY}
 * @param breaks ids of the rules that must catch it, the first of which it is made for
 * @param wrap puts the flaw around a sound backend
 */
public record Flaw(String name, List<String> breaks, UnaryOperator<BackendProvider> wrap) {

    /** Key under which {@code debugInfo} of a broken backend says where strangers reach it. */
    public static final String PORT_KEY = "flaw.port";

    /** What is done with a reply that has come. */
    @FunctionalInterface
    interface OnReply {
        void accept(ReplyHandler handler, Message reply);
    }

    public Flaw {
        breaks = List.copyOf(breaks);
    }

    static Flaw of(String name, List<String> breaks, UnaryOperator<BackendProvider> wrap) {
        return new Flaw(name, breaks, wrap);
    }

    /** A flaw of each agent. */
    static Flaw ofAgents(String name, List<String> breaks, UnaryOperator<RpcAgent> wrap) {
        return ofAgents(name, breaks, (_, agent) -> wrap.apply(agent));
    }

    /** A flaw of each agent that knows what it was made from. */
    static Flaw ofAgents(
            String name, List<String> breaks, BiFunction<AgentContext, RpcAgent, RpcAgent> wrap) {
        return of(
                name,
                breaks,
                sound ->
                        new FlawedProvider(sound) {
                            @Override
                            public RpcAgent create(AgentContext context) {
                                return wrap.apply(context, super.create(context));
                            }
                        });
    }

    /** A flaw of what agents are made from. */
    static Flaw ofContexts(String name, List<String> breaks, UnaryOperator<AgentContext> change) {
        return of(
                name,
                breaks,
                sound ->
                        new FlawedProvider(sound) {
                            @Override
                            public RpcAgent create(AgentContext context) {
                                return super.create(change.apply(context));
                            }
                        });
    }

    /** A flaw in handing on replies; each agent has one of its own. */
    static Flaw ofReplies(String name, List<String> breaks, Supplier<OnReply> flaws) {
        return ofAgents(
                name,
                breaks,
                agent -> {
                    OnReply flaw = flaws.get();
                    return new FlawedAgent(agent) {
                        @Override
                        void onReply(ReplyHandler handler, Message reply) {
                            flaw.accept(handler, reply);
                        }
                    };
                });
    }

    /** A flaw in what requests arrive as. */
    static Flaw ofRequests(String name, List<String> breaks, Function<Message, Message> change) {
        return ofAgents(
                name,
                breaks,
                agent ->
                        new FlawedAgent(agent) {
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
