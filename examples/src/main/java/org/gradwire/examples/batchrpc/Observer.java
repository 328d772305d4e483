package org.gradwire.examples.batchrpc;

import static org.gradwire.rpc.RpcFunction.async;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;

import java.util.ArrayList;
import java.util.List;

/** An environment with a pole, which calls the agent for its actions. */
@RemoteCallable
public final class Observer {
    private final int number;
    private final CartPole world;

    public Observer(int number, long seed) {
        this.number = number;
        this.world = new CartPole(seed + number);
    }

    /** Run some steps, from the present state of the environment. */
    public Episode observe(RRef<Agent> agent, int steps) {
        List<Integer> actions = new ArrayList<>();
        List<Boolean> fell = new ArrayList<>();
        for (int step = 0; step < steps; step++) {
            int action = agent.rpcSync(async(Agent::selectAction), number, world.state());
            actions.add(action);
            fell.add(world.step(action));
        }
        return new Episode(actions, fell);
    }
}
