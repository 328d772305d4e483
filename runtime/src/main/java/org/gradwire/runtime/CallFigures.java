package org.gradwire.runtime;

import org.gradwire.runtime.flow.Flows;

import java.util.Map;

/** Figures about calls, by the names that PyTorch gives them where it has them. */
final class CallFigures {

    private CallFigures() {}

    static void put(
            Map<String, String> info,
            RunningCalls running,
            ActiveCalls outgoing,
            CallReceiver receiver) {
        info.put("agent.thread_pool_size", Integer.toString(running.limit()));
        info.put(
                "agent.num_idle_threads",
                Integer.toString(Math.max(0, running.limit() - running.running())));
        info.put("agent.client_active_calls", Integer.toString(outgoing.count()));
        info.put("agent.server_active_calls", Integer.toString(receiver.active().count()));
        info.put(
                "agent.server_active_async_calls",
                Integer.toString(receiver.activeAsync().count()));
        info.put("agent.server_waiting_calls", Integer.toString(receiver.waiting()));
        info.put("agent.server_call_bytes", Long.toString(receiver.codec().heap().total()));
    }

    static void put(Map<String, String> info, Flows flows) {
        info.put("agent.client_call_bytes", Long.toString(flows.callBytes()));
        info.put("agent.client_waiting_calls", Integer.toString(flows.waitingCalls()));
    }
}
