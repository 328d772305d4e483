package org.gradwire.opentelemetry.tests;

import org.gradwire.rpc.FunctionSchema;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.CallObservation;
import org.gradwire.spi.CallObserver;
import org.gradwire.spi.RpcExtension;
import org.gradwire.spi.RpcExtensionProvider;
import org.gradwire.spi.Setting;
import org.gradwire.spi.Worker;
import org.jspecify.annotations.Nullable;

import java.util.List;

/** An extension whose observer throws at the point that a setting names. */
public final class FailingObserver implements RpcExtensionProvider {
    static final String KEY = "gradwire.tests.observer";

    @Override
    public String name() {
        return "failing-observer";
    }

    @Override
    public List<Setting> settings() {
        return List.of(new Setting(KEY, "none", "Where the observer fails: none, begin or end."));
    }

    @Override
    public RpcExtension create(Worker worker) {
        String where = worker.settings().choice(KEY, List.of("none", "begin", "end"));
        List<CallObserver> observers =
                where.equals("none") ? List.of() : List.of(new Observer(where.equals("begin")));
        return new RpcExtension() {
            @Override
            public List<CallObserver> observers() {
                return observers;
            }
        };
    }

    private record Observer(boolean atOnce) implements CallObserver {
        @Override
        public CallObservation outgoing(FunctionSchema function, WorkerInfo to) {
            return begin();
        }

        @Override
        public CallObservation served(FunctionSchema function, WorkerInfo from) {
            return begin();
        }

        @Override
        public Runnable carry(Runnable callback) {
            throw new IllegalStateException("cannot carry");
        }

        private CallObservation begin() {
            if (atOnce) {
                throw new IllegalStateException("cannot begin");
            }
            return new Observation();
        }
    }

    private static final class Observation implements CallObservation {
        @Override
        public void leave() {
            throw new IllegalStateException("cannot leave");
        }

        @Override
        public void end(@Nullable Throwable failure) {
            throw new IllegalStateException("cannot end");
        }
    }
}
