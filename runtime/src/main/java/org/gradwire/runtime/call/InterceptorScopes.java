package org.gradwire.runtime.call;

import org.gradwire.runtime.call.MessageFactory.ScopeOf;
import org.gradwire.runtime.wire.WireCodec.DecodedMessage;
import org.gradwire.runtime.wire.WireCodec.Header;
import org.gradwire.spi.CallInterceptor;
import org.gradwire.spi.CallScope;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** The scopes of interceptors in which a request runs, innermost first. */
final class InterceptorScopes {
    private static final @Nullable Object[] NONE = {};

    private InterceptorScopes() {}

    /** Pass a request to the interceptors whose headers it has; {@return their scopes} */
    static List<ScopeOf> of(DecodedMessage message) {
        List<Header> headers = message.headers();
        if (headers.isEmpty()) {
            return List.of();
        }
        List<ScopeOf> scopes = new ArrayList<>(headers.size());
        for (int i = headers.size() - 1; i >= 0; i--) {
            Header header = headers.get(i);
            CallInterceptor interceptor = header.interceptor();
            scopes.add(
                    new ScopeOf(
                            interceptor,
                            interceptor.onRequestIn(message.body(), header.content())));
        }
        return scopes;
    }

    /**
     * Return the scopes of a request that runs a function, including those of interceptors without
     * a header.
     */
    static List<ScopeOf> ofRun(DecodedMessage message, List<CallInterceptor> interceptors) {
        List<ScopeOf> scopes = of(message);
        for (int i = 0; i < interceptors.size(); i++) {
            CallInterceptor interceptor = interceptors.get(i);
            CallScope scope = has(scopes, interceptor) ? null : interceptor.scopeWithoutHeader();
            if (scope != null) {
                scopes = scopes.isEmpty() ? new ArrayList<>() : scopes;
                scopes.add(new ScopeOf(interceptor, scope));
            }
        }
        return scopes;
    }

    private static boolean has(List<ScopeOf> scopes, CallInterceptor interceptor) {
        for (int i = 0; i < scopes.size(); i++) {
            if (scopes.get(i).interceptor().equals(interceptor)) {
                return true;
            }
        }
        return false;
    }

    /** Enter all scopes on this thread; {@return the argument of {@link #exit}} */
    static @Nullable Object[] enter(List<ScopeOf> scopes) {
        if (scopes.isEmpty()) {
            return NONE;
        }
        var entered = new @Nullable Object[scopes.size()];
        for (int i = scopes.size() - 1; i >= 0; i--) {
            entered[i] = scopes.get(i).scope().enter();
        }
        return entered;
    }

    /** Exit all scopes on the thread that entered them. */
    static void exit(List<ScopeOf> scopes, @Nullable Object[] entered) {
        for (int i = 0; i < entered.length; i++) {
            scopes.get(i).scope().exit(entered[i]);
        }
    }
}
