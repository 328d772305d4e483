package org.gradwire.opentelemetry;

import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.context.Scope;

import org.gradwire.spi.CallScope;
import org.gradwire.spi.Output;
import org.jspecify.annotations.Nullable;

/** Makes a context current on the thread that enters it. */
record ContextScope(Context context) implements CallScope {

    @Override
    public Object enter() {
        return attach(context);
    }

    static Scope attach(Context context) {
        return ContextStorage.get().attach(context);
    }

    @Override
    public void exit(@Nullable Object entered) {
        if (entered instanceof Scope scope) {
            scope.close();
        }
    }

    @Override
    public boolean onReplyOut(Output reply, Output header) {
        return false;
    }
}
