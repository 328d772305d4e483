package org.gradwire.runtime.authorization;

import org.gradwire.rpc.WorkerInfo;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The decisions about one peer, each made when it is first needed. There are no more of them than
 * functions and permissions. Thread-safe.
 */
final class CallerPermissions {
    private final WorkerInfo caller;
    private final DecisionMaker maker;
    private final Map<String, Decision> byAction = new ConcurrentHashMap<>();

    CallerPermissions(WorkerInfo caller, DecisionMaker maker) {
        this.caller = caller;
        this.maker = maker;
    }

    WorkerInfo caller() {
        return caller;
    }

    /** {@return the decision about an action that exists} */
    Decision of(String action) {
        Decision known = byAction.get(action);
        if (known != null) {
            return known;
        }
        Decision made = maker.decide(caller, action);
        if (made.isFinal()) {
            byAction.put(action, made);
        }
        return made;
    }
}
