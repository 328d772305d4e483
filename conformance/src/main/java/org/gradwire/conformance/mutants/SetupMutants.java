package org.gradwire.conformance.mutants;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.AgentContext;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.Message;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.RpcAgent;
import org.gradwire.spi.Setting;
import org.gradwire.spi.Settings;
import org.gradwire.spi.Store;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Mutants with faults in selection, configuration, connect and reconnect. */
final class SetupMutants {
    static final List<Mutant> ALL =
            List.of(
                    // The name is in upper case.
                    Mutant.of("SHOUTS_ITS_NAME", List.of("SELECT-1"), ShoutsName::new),
                    // Invalid settings fall back to their defaults.
                    Mutant.of("IGNORES_WRONG_SETTINGS", List.of("SELECT-2"), IgnoresWrong::new),
                    // Connect does not wait for members that start later.
                    Mutant.ofContexts("IS_IMPATIENT", List.of("INIT-1"), SetupMutants::impatient),
                    // All groups of the process see the values of the first one in the store.
                    Mutant.of("MIXES_GROUPS", List.of("INIT-2"), MixesGroups::new),
                    // Connect disconnects first.
                    Mutant.ofAgents(
                            "PARTS_TO_CONNECT_AGAIN", List.of("INIT-3"), PartsToConnect::new),
                    // Connect waits without a timeout.
                    Mutant.ofAgents("CONNECTS_FOREVER", List.of("INIT-4"), ConnectsForever::new),
                    // A former holder of an id can still use it.
                    Mutant.of("LETS_A_ZOMBIE_IN", List.of("ID-1"), LetsZombieIn::new),
                    // Disconnect does nothing.
                    Mutant.ofAgents(
                            "IGNORES_A_DISCONNECTION",
                            List.of("GROUP-1"),
                            IgnoresDisconnection::new),
                    // Only the first connect has an effect.
                    Mutant.ofAgents("CONNECTS_ONCE", List.of("GROUP-2"), ConnectsOnce::new),
                    // debugInfo is empty.
                    Mutant.ofAgents("TELLS_NO_FIGURES", List.of("INFO-1"), TellsNothing::new),
                    // A malformed address causes an unchecked exception of the parser.
                    Mutant.ofAgents(
                            "TRUSTS_ADDRESSES", List.of("RUBBISH-1"), TrustsAddresses::new));

    private SetupMutants() {}

    private static AgentContext withStore(AgentContext context, Store store) {
        return new AgentContext(context.self(), context.settings(), store, context.allocator());
    }

    private static AgentContext impatient(AgentContext context) {
        return withStore(
                context,
                new ForwardingStore(context.store()) {
                    @Override
                    public byte[] get(String key, Duration timeout) {
                        return super.get(key, Duration.ofMillis(1));
                    }
                });
    }

    private static final class ShoutsName extends MutantProvider {
        ShoutsName(BackendProvider sound) {
            super(sound);
        }

        @Override
        public String name() {
            return super.name().toUpperCase(Locale.ROOT);
        }
    }

    private static final class IgnoresWrong extends MutantProvider {
        IgnoresWrong(BackendProvider sound) {
            super(sound);
        }

        @Override
        public RpcAgent create(AgentContext context) {
            try {
                return super.create(context);
            } catch (RpcConfigurationException e) {
                return super.create(
                        new AgentContext(
                                context.self(),
                                defaults(context.settings()),
                                context.store(),
                                context.allocator()));
            }
        }

        private Settings defaults(Settings given) {
            return new Settings() {
                @Override
                public Optional<String> find(String key) {
                    return settings().stream()
                            .filter(setting -> setting.key().equals(key))
                            .map(Setting::defaultValue)
                            .filter(value -> !value.isEmpty())
                            .findFirst();
                }

                @Override
                public String origin(String key) {
                    return given.origin(key);
                }
            };
        }
    }

    private static final class MixesGroups extends MutantProvider {
        private final Map<String, byte[]> firstValues = new ConcurrentHashMap<>();

        MixesGroups(BackendProvider sound) {
            super(sound);
        }

        @Override
        public RpcAgent create(AgentContext context) {
            return super.create(
                    withStore(
                            context,
                            new ForwardingStore(context.store()) {
                                @Override
                                public void set(String key, byte[] value) {
                                    super.set(
                                            key,
                                            firstValues.computeIfAbsent(key, _ -> value.clone()));
                                }
                            }));
        }
    }

    private static final class PartsToConnect extends MutantAgent {
        private final int self;

        PartsToConnect(AgentContext context, RpcAgent sound) {
            super(sound);
            self = context.self().id();
        }

        @Override
        public void connect(List<WorkerInfo> members) {
            for (WorkerInfo member : members) {
                if (member.id() != self) {
                    disconnect(member.id());
                }
            }
            super.connect(members);
        }
    }

    private static final class ConnectsForever extends MutantAgent {
        ConnectsForever(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void connect(List<WorkerInfo> members) {
            try {
                super.connect(members);
            } catch (RpcException e) {
                hang(30);
            }
        }
    }

    private static final class LetsZombieIn extends MutantProvider {
        private final Map<Store, Map<Integer, AgentListener>> listeners = new ConcurrentHashMap<>();

        LetsZombieIn(BackendProvider sound) {
            super(sound);
        }

        @Override
        public RpcAgent create(AgentContext context) {
            Map<Integer, AgentListener> group =
                    listeners.computeIfAbsent(context.store(), _ -> new ConcurrentHashMap<>());
            int self = context.self().id();
            return new MutantAgent(super.create(context)) {
                @Override
                public void start(AgentListener listener) {
                    group.put(self, listener);
                    super.start(listener);
                }

                @Override
                public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
                    AgentListener known = group.get(to);
                    super.send(
                            to,
                            request,
                            timeoutNanos,
                            failing(
                                    handler,
                                    failure -> {
                                        boolean isRefused =
                                                failure instanceof RpcException e
                                                        && e.kind() != RpcErrorKind.TIMEOUT;
                                        if (isRefused && known != null) {
                                            known.onRequest(
                                                    self, unowned(request), handler::onReply);
                                        } else {
                                            handler.onFailure(failure);
                                        }
                                    }));
                }

                @Override
                public void close() {
                    group.remove(self);
                    super.close();
                }
            };
        }
    }

    private static final class IgnoresDisconnection extends MutantAgent {
        IgnoresDisconnection(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void disconnect(int member) {}
    }

    private static final class ConnectsOnce extends MutantAgent {
        private boolean connected;

        ConnectsOnce(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void connect(List<WorkerInfo> members) {
            if (!connected) {
                connected = true;
                super.connect(members);
            }
        }
    }

    private static final class TellsNothing extends MutantAgent {
        TellsNothing(RpcAgent sound) {
            super(sound);
        }

        @Override
        public Map<String, String> debugInfo() {
            return Map.of();
        }
    }

    private static final class TrustsAddresses extends MutantAgent {
        TrustsAddresses(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void connect(List<WorkerInfo> members) {
            try {
                super.connect(members);
            } catch (RpcConfigurationException e) {
                throw new IndexOutOfBoundsException("reading an address: " + e.getMessage());
            }
        }
    }
}
