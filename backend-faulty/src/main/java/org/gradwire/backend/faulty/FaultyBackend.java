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
 * Wraps the agents of another backend and fails or delays their sends, by message type. The
 * settings and their defaults are those of PyTorch's {@code FaultyTensorPipeAgent} in its tests:
 * the four messages that are retried until a reply fail three times each, calls are delayed by 1.5
 * s.
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
                    new Setting(WRAPPED, "tensorpipe", "Name of the wrapped backend."),
                    new Setting(
                            NUM_FAIL_SENDS,
                            "3",
                            "Number of sends of the same payload that fail before one succeeds."),
                    new Setting(
                            MESSAGES_TO_FAIL,
                            "RREF_FORK_REQUEST,RREF_CHILD_ACCEPT,RREF_USER_DELETE,CLEANUP_AUTOGRAD_CONTEXT_REQ",
                            "Types of requests whose sends fail, separated by commas, or * for all; empty for none."),
                    new Setting(
                            MESSAGES_TO_DELAY,
                            "UDF_CALL:1.5s,SCRIPT_CALL:1.5s",
                            "Types of requests that are delayed, each with its delay, such as UDF_CALL:1.5s, UDF_CALL:10ms..50ms for a random one, or *:10ms for all; separated by commas; empty for none."),
                    new Setting(
                            Fault.LOSE_REQUEST.key(),
                            "",
                            "Types of requests that are lost silently, each with the lost share, separated by commas, such as UDF_CALL:0.3, or *:0.01 for all; empty for none."),
                    new Setting(
                            Fault.LOSE_REPLY.key(),
                            "",
                            "Types of requests whose replies are lost silently, each with the lost share; empty for none."),
                    new Setting(
                            Fault.REPEAT.key(),
                            "",
                            "Types of requests that arrive twice, each with the repeated share; empty for none."),
                    new Setting(
                            Fault.REORDER.key(),
                            "",
                            "Types of requests that the next one to the same worker overtakes, each with the overtaken share; empty for none."),
                    new Setting(
                            Fault.CORRUPT_REQUEST.key(),
                            "",
                            "Types of requests that arrive with one byte changed, in the payload or a buffer, each with the changed share; empty for none."),
                    new Setting(
                            Fault.CORRUPT_REPLY.key(),
                            "",
                            "Types of requests whose replies arrive with one byte changed, each with the changed share; empty for none."),
                    new Setting(
                            CUTS,
                            "",
                            "Pairs of workers by id without a connection for a time, counted from the start of each, such as 0-1@2s+3s, 0>1@2s+3s for one direction, or 0-*@2s+3s for all others; separated by commas."),
                    new Setting(
                            SEED,
                            "1",
                            "Seed of all random choices: the requests with a fault, and their delays."));

    /**
     * The other installed backends; looked up at the first use, since the service loader is still
     * running when this provider is created.
     */
    private @Nullable Map<String, BackendProvider> installed; // guarded by this

    /** The plans already logged. */
    private final Set<FaultPlan> logged = ConcurrentHashMap.newKeySet();

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

    /** {@return eight worker threads, as in the fixture of PyTorch's tests} */
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
                    "backend '%s', which backend 'faulty' wraps, cannot run here: %s"
                            .formatted(wanted, obstacle.get()));
        }
        FaultPlan plan = FaultPlan.of(context.settings());
        if (logged.add(plan)) {
            LOGGER.log(System.Logger.Level.INFO, "injecting faults:\n{0}", plan);
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
                || !plan.networkPartitions().isEmpty()) {
            agent = new LossyAgent(agent, plan, self, context.time());
        }
        return new FaultyAgent(agent, plan, self, context.time());
    }
}
