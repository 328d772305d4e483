package org.gradwire.runtime.profile;

import org.gradwire.profiler.ProfilerOptions;
import org.gradwire.profiler.ProfilerState;
import org.gradwire.profiler.ServedProfiles;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.CallInterceptor;
import org.gradwire.spi.CallScope;
import org.gradwire.spi.Input;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Output;
import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes callees record events for a profiled caller, and return them in replies. Request header: an
 * id and the options; reply header: the id and the events.
 */
public final class ProfilingInterceptor implements CallInterceptor {
    private static final int WORKER_SHIFT = 48;

    private final int self;
    private final ServedProfiles served;
    private final AtomicLong nextId;
    private final ThreadLocal<@Nullable ProfiledCall> current = new ThreadLocal<>();
    private final Map<Long, ProfiledCall> underWay = new ConcurrentHashMap<>();

    public ProfilingInterceptor(int self, ServedProfiles served) {
        this.self = self;
        this.served = served;
        this.nextId = new AtomicLong((long) self << WORKER_SHIFT);
    }

    /** Begin the event of a call, before this thread encodes its request. */
    CallWatch begin(String key, int callee) {
        ProfiledCall before = current.get();
        if (before != null) {
            throw new RpcException(
                    "%s was called while the arguments of %s were being encoded; a codec must not make profiled calls"
                            .formatted(key, before.key()));
        }
        var call = new ProfiledCall(this, key, callee, nextId.getAndIncrement());
        current.set(call);
        return call;
    }

    void clearCurrent() {
        current.remove();
    }

    void forget(ProfiledCall call) {
        underWay.remove(call.id());
    }

    @Override
    public int requestType() {
        return MessageTypes.RUN_WITH_PROFILING_REQ;
    }

    @Override
    public int replyType() {
        return MessageTypes.RUN_WITH_PROFILING_RESP;
    }

    @Override
    public boolean onRequestOut(Output request, boolean contextual, Output header) {
        ProfiledCall call = current.get();
        if (call == null) {
            return false;
        }
        underWay.put(call.id(), call);
        header.writeLong(call.id());
        ProfileCodec.writeOptions(call.options(), header);
        return true;
    }

    @Override
    public CallScope onRequestIn(Input request, Input header) {
        long id = header.readLong();
        ProfilerOptions options = ProfileCodec.readOptions(header);
        return new AnsweredScope(id, ProfilerState.begin(options, self, served.current()));
    }

    @Override
    public void onReplyIn(Input reply, Input header) {
        ProfiledCall call = underWay.get(header.readLong());
        if (call != null && call.callee() == reply.source()) {
            call.received(ProfileCodec.read(header));
        }
    }

    @Override
    public @Nullable CallScope currentScope() {
        ProfilerState state = ProfilerState.current();
        return state == null ? null : new ThreadScope(state);
    }

    /** {@return the scope of the profile of all inbound calls; null if there is none} */
    @Override
    public @Nullable CallScope scopeWithoutHeader() {
        ProfilerState state = served.current();
        return state == null ? null : new ThreadScope(state);
    }

    /** A scope that enters a profile on threads. */
    private static class ThreadScope implements CallScope {
        private final ProfilerState state;

        ThreadScope(ProfilerState state) {
            this.state = state;
        }

        @Override
        public @Nullable Object enter() {
            ProfilerState before = ProfilerState.current();
            state.enter();
            return before;
        }

        @Override
        public void exit(@Nullable Object entered) {
            ProfilerState.restore((ProfilerState) entered);
        }

        @Override
        public boolean onReplyOut(Output reply, Output header) {
            return false;
        }
    }

    /** A scope of a request whose reply carries the events. */
    private static final class AnsweredScope extends ThreadScope {
        private final long id;
        private final ProfilerState state;

        AnsweredScope(long id, ProfilerState state) {
            super(state);
            this.id = id;
            this.state = state;
        }

        @Override
        public boolean onReplyOut(Output reply, Output header) {
            header.writeLong(id);
            ProfileCodec.write(state.profile(), header);
            return true;
        }
    }
}
