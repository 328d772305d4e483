package org.gradwire.backend.faulty;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.AgentContext;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.RpcAgent;
import org.gradwire.spi.Setting;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;

/**
 * Wraps the agents of another backend and makes their sends fail or wait, by the type of message.
 * The settings and their defaults are those of PyTorch's {@code FaultyTensorPipeAgent} as its tests
 * use it: the four messages that are repeated until answered fail three times each, calls wait for
 * 1.5 s.
 */
public final class FaultyBackend implements BackendProvider {
    static final String WRAPPED = "gradwire.faulty.backend";
    static final String NUM_FAIL_SENDS = "gradwire.faulty.num-fail-sends";
    static final String MESSAGES_TO_FAIL = "gradwire.faulty.messages-to-fail";
    static final String MESSAGES_TO_DELAY = "gradwire.faulty.messages-to-delay";
    static final String REQUESTS_TO_LOSE = "gradwire.faulty.requests-to-lose";
    static final String REPLIES_TO_LOSE = "gradwire.faulty.replies-to-lose";
    static final String REQUESTS_TO_REPEAT = "gradwire.faulty.requests-to-repeat";
    static final String SEED = "gradwire.faulty.seed";

    private static final List<Setting> SETTINGS =
            List.of(
                    new Setting(WRAPPED, "tensorpipe", "Name of the backend that is wrapped."),
                    new Setting(
                            NUM_FAIL_SENDS,
                            "3",
                            "How many sends of the same payload fail before one succeeds."),
                    new Setting(
                            MESSAGES_TO_FAIL,
                            "RREF_FORK_REQUEST,RREF_CHILD_ACCEPT,RREF_USER_DELETE,CLEANUP_AUTOGRAD_CONTEXT_REQ",
                            "Types of messages whose sends fail, separated by commas; empty for none."),
                    new Setting(
                            MESSAGES_TO_DELAY,
                            "PYTHON_CALL:1.5s,SCRIPT_CALL:1.5s",
                            "Types of messages that are sent late, each with its delay, separated by commas; empty for none."),
                    new Setting(
                            REQUESTS_TO_LOSE,
                            "",
                            "Types of requests that get lost without a word, each with the share that does, separated by commas, such as PYTHON_CALL:0.3; empty for none."),
                    new Setting(
                            REPLIES_TO_LOSE,
                            "",
                            "Types of requests whose replies get lost without a word, each with the share of those; empty for none."),
                    new Setting(
                            REQUESTS_TO_REPEAT,
                            "",
                            "Types of requests that arrive twice, each with the share that does; empty for none."),
                    new Setting(
                            SEED, "1", "Number from which it follows what gets lost or repeated."));

    /**
     * The backends that can be wrapped; looked up at the first use, since this one is still being
     * loaded when it is made.
     */
    private @Nullable Map<String, BackendProvider> installed; // guarded by this

    /** For the ServiceLoader. */
    public FaultyBackend() {}

    private synchronized Map<String, BackendProvider> installed() {
        if (installed == null) {
            installed = new TreeMap<>();
            for (BackendProvider provider :
                    ServiceLoader.load(
                            BackendProvider.class, FaultyBackend.class.getClassLoader())) {
                if (!provider.name().equals(name())) {
                    installed.put(provider.name(), provider);
                }
            }
        }
        return installed;
    }

    @Override
    public String name() {
        return "faulty";
    }

    @Override
    public List<Setting> settings() {
        return SETTINGS;
    }

    /** The fixture of PyTorch's tests has eight worker threads. */
    @Override
    public Map<String, String> defaults() {
        return Map.of("gradwire.max-running-calls", "8");
    }

    @Override
    public RpcAgent create(AgentContext context) {
        String wanted = context.settings().text(WRAPPED);
        Map<String, BackendProvider> found = installed();
        BackendProvider wrapped = found.get(wanted);
        if (wrapped == null) {
            throw new RpcConfigurationException(
                    "%s=%s (from %s): there is no such backend to wrap; installed: %s"
                            .formatted(
                                    WRAPPED,
                                    wanted,
                                    context.settings().origin(WRAPPED),
                                    found.keySet()));
        }
        Optional<String> obstacle = wrapped.obstacle();
        if (obstacle.isPresent()) {
            throw new RpcConfigurationException(
                    "backend '%s', which the faulty one wraps, cannot run here: %s"
                            .formatted(wanted, obstacle.get()));
        }
        FaultPlan plan = FaultPlan.of(context.settings());
        LossPlan losses = LossPlan.of(context.settings());
        RpcAgent agent = wrapped.create(context);
        return new FaultyAgent(
                losses.isEmpty() ? agent : new LossyAgent(agent, losses, context.self().id()),
                plan);
    }
}
