package org.gradwire.runtime.group;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.config.RuntimeSettings;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.Settings;
import org.gradwire.spi.Store;
import org.gradwire.spi.UntrustedText;

import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Agrees on one backend in a group whose workers set {@code gradwire.backend=auto}: the preferred
 * one if it can run in all of them, else the fallback.
 *
 * <p>The workers of a static group write the backends that they can run to the store, and the last
 * writer decides. In a dynamic group the first worker decides.
 */
public final class BackendAgreement {
    private static final System.Logger LOG =
            System.getLogger(BackendAgreement.class.getPackageName());

    static final String AUTO = "auto";
    static final String FIRST = "tensorpipe";
    static final String SECOND = "netty";

    private static final String REPORTED = "backend/reported";
    private static final String WITHOUT = "backend/without";
    private static final String WHY = "backend/why";
    private static final String CHOICE = "backend/choice";

    private final Backends backends;
    private final Settings settings;
    private final Store store;
    private final WorkerInfo self;
    private final Duration timeout;

    /**
     * Create the agreement of a worker.
     *
     * @param timeout of the wait for the others
     */
    public BackendAgreement(
            Backends backends, Settings settings, Store store, WorkerInfo self, Duration timeout) {
        this.backends = backends;
        this.settings = settings;
        this.store = store;
        this.self = self;
        this.timeout = timeout.isZero() ? Duration.ofDays(1) : timeout;
    }

    /**
     * Agree with the other workers of a static group.
     *
     * @throws RpcConfigurationException when this worker has neither
     * @throws org.gradwire.rpc.RpcTimeoutException when the others do not join in time
     */
    public BackendProvider agree(int worldSize) {
        Optional<String> obstacle = obstacle();
        obstacle.ifPresent(why -> set(WHY, "%s: %s".formatted(self, why)));
        store.add(WITHOUT, obstacle.isPresent() ? 1 : 0);
        if (store.add(REPORTED, 1) == worldSize) {
            set(CHOICE, store.add(WITHOUT, 0) == 0 ? FIRST : SECOND);
        }
        return follow();
    }

    /**
     * Return the backend of a dynamic group; its first worker decides.
     *
     * @throws RpcConfigurationException when this worker does not have it
     */
    public BackendProvider agreeInDynamicGroup() {
        if (store.add(REPORTED, 1) == 1) {
            Optional<String> obstacle = obstacle();
            obstacle.ifPresent(why -> set(WHY, "%s: %s".formatted(self, why)));
            set(CHOICE, obstacle.isEmpty() ? FIRST : SECOND);
        }
        return follow();
    }

    private Optional<String> obstacle() {
        Optional<BackendProvider> first = backends.find(FIRST);
        return first.isEmpty()
                ? Optional.of("gradwire-backend-tensorpipe is not installed")
                : first.get().obstacle(settings);
    }

    private BackendProvider follow() {
        String choice = text(CHOICE);
        if (!List.of(FIRST, SECOND).contains(choice)) {
            throw new RpcConfigurationException(
                    "the store says that the group uses the backend '%s'; expected %s or %s: name one by %s on all workers"
                            .formatted(
                                    UntrustedText.quote(choice),
                                    FIRST,
                                    SECOND,
                                    RuntimeSettings.BACKEND));
        }
        BackendProvider chosen =
                backends.find(choice).orElseThrow(() -> unusable(choice, "it is not installed"));
        chosen.obstacle(settings)
                .ifPresent(why -> {
                    throw unusable(choice, why);
                });
        LOG.log(
                Level.INFO,
                "{0} uses the backend {1}, as the group agreed{2}",
                self,
                choice,
                choice.equals(FIRST) ? "" : ": not " + FIRST + ", since " + reason());
        return chosen;
    }

    private RpcConfigurationException unusable(String choice, String why) {
        return new RpcConfigurationException(
                "the group uses the backend '%s', which cannot run in %s: %s; or set %s=%s on all workers"
                        .formatted(choice, self, why, RuntimeSettings.BACKEND, SECOND));
    }

    private String reason() {
        return UntrustedText.quote(text(WHY));
    }

    private void set(String key, String text) {
        store.set(key, text.getBytes(StandardCharsets.UTF_8));
    }

    private String text(String key) {
        return new String(store.get(key, timeout), StandardCharsets.UTF_8);
    }
}
