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
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

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
    static final String CUTS = "gradwire.faulty.cuts";
    static final String SEED = "gradwire.faulty.seed";

    private static final System.Logger LOGGER = System.getLogger("org.gradwire.faulty");

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
                            "Types of requests whose sends fail, separated by commas, or * for all; empty for none."),
                    new Setting(
                            MESSAGES_TO_DELAY,
                            "PYTHON_CALL:1.5s,SCRIPT_CALL:1.5s",
                            "Types of requests that are sent late, each with its delay, such as PYTHON_CALL:1.5s, PYTHON_CALL:10ms..50ms for a random one, or *:10ms for all; separated by commas; empty for none."),
                    new Setting(
                            Fault.LOSE_REQUEST.key(),
                            "",
                            "Types of requests that get lost without a word, each with the share that does, separated by commas, such as PYTHON_CALL:0.3, or *:0.01 for all; empty for none."),
                    new Setting(
                            Fault.LOSE_REPLY.key(),
                            "",
                            "Types of requests whose replies get lost without a word, each with the share of those; empty for none."),
                    new Setting(
                            Fault.REPEAT.key(),
                            "",
                            "Types of requests that arrive twice, each with the share that does; empty for none."),
                    new Setting(
                            Fault.REORDER.key(),
                            "",
                            "Types of requests that the next one to the same worker overtakes, each with the share of those; empty for none."),
                    new Setting(
                            Fault.CORRUPT_REQUEST.key(),
                            "",
                            "Types of requests of which one byte is changed, in the payload or a buffer, each with the share of those; empty for none."),
                    new Setting(
                            Fault.CORRUPT_REPLY.key(),
                            "",
                            "Types of requests of whose replies one byte is changed, each with the share of those; empty for none."),
                    new Setting(
                            CUTS,
                            "",
                            "Pairs of workers by id between which nothing passes for a time, counted from the start of each, such as 0-1@2s+3s, 0>1@2s+3s for one direction, or 0-*@2s+3s for all others; separated by commas."),
                    new Setting(
                            SEED,
                            "1",
                            "Number from which it follows what gets lost, repeated, held back or changed, and how late it is."));

    /**
     * The backends that can be wrapped; looked up at the first use, since this one is still being
     * loaded when it is made.
     */
    private @Nullable Map<String, BackendProvider> installed; // guarded by this

    /** The plans that were logged. */
    private final Set<FaultPlan> said = ConcurrentHashMap.newKeySet();

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
        Optional<String> obstacle = wrapped.obstacle(context.settings());
        if (obstacle.isPresent()) {
            throw new RpcConfigurationException(
                    "backend '%s', which the faulty one wraps, cannot run here: %s"
                            .formatted(wanted, obstacle.get()));
        }
        FaultPlan plan = FaultPlan.of(context.settings());
        if (said.add(plan)) {
            LOGGER.log(System.Logger.Level.INFO, "faults on purpose:\n{0}", plan);
        }
        return wrap(wrapped.create(context), plan, context);
    }

    private static RpcAgent wrap(RpcAgent wrapped, FaultPlan plan, AgentContext context) {
        int self = context.self().id();
        RpcAgent agent = wrapped;
        if (!plan.isWithout(Fault.CORRUPT_REQUEST, Fault.CORRUPT_REPLY)) {
            agent = new CorruptingAgent(agent, plan, self);
        }
        if (!plan.isWithout(Fault.LOSE_REQUEST, Fault.LOSE_REPLY, Fault.REPEAT)
                || !plan.cuts().isEmpty()) {
            agent = new LossyAgent(agent, plan, self, context.time());
        }
        return new FaultyAgent(agent, plan, self, context.time());
    }
}
