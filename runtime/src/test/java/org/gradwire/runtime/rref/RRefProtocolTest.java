package org.gradwire.runtime.rref;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.runtime.rref.RRefContext.Creation;
import org.gradwire.runtime.rref.SimulatedGroup.Held;
import org.gradwire.runtime.rref.SimulatedGroup.SimulatedWorker;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Random programs that create, send and close references, while messages arrive in any order and
 * all control messages arrive twice. Guarantees: as long as a handle is open its value is alive;
 * when all are closed and all messages have arrived, no state is left on any worker.
 */
class RRefProtocolTest {

    private static final class Program {
        private final Random random;
        private final SimulatedGroup group;
        private final List<Held> open = new ArrayList<>();
        private final Set<GloballyUniqueId> made = new HashSet<>(); // whose request has arrived
        private final Set<GloballyUniqueId> failed = new HashSet<>(); // whose request has failed
        private final List<Fetch> fetches = new ArrayList<>();
        private final boolean lossy;
        private int onTheWay;

        Program(long seed, int workers, boolean lossy) {
            this.random = new Random(seed);
            this.group = new SimulatedGroup(workers);
            this.lossy = lossy;
        }

        private SimulatedWorker anyone() {
            return group.worker(random.nextInt(group.workers.size()));
        }

        void act() {
            switch (random.nextInt(lossy ? 22 : 21)) {
                case 0, 1 -> create(anyone(), anyone());
                case 2 -> local(anyone());
                case 20 -> fetch();
                case 3, 4, 5, 6 -> send();
                case 7, 8, 9 -> close();
                case 21 -> kill();
                default -> {
                    if (!group.events.isEmpty()) {
                        group.step(random);
                    }
                }
            }
        }

        private void create(SimulatedWorker creator, SimulatedWorker owner) {
            if (!creator.alive) {
                return;
            }
            Creation<String> creation = creator.context.create(owner.info, SimulatedGroup.TYPE);
            hold(new Held(creator, creation.rref(), creation.rrefId(), owner.info.id()));
            boolean[] ended = {false};
            group.events.add(() -> make(creator, owner, creation, ended));
            if (random.nextInt(6) == 0) {
                group.events.add(
                        () -> end(creator, creation, ended, new RpcTimeoutException("too late")));
            }
        }

        private void make(
                SimulatedWorker creator,
                SimulatedWorker owner,
                Creation<String> creation,
                boolean[] ended) {
            if (!owner.alive) {
                end(creator, creation, ended, new RpcConnectionException("gone"));
                return;
            }
            CallFuture<@Nullable Object> result =
                    owner.context.createOwned(
                            creator.info.id(),
                            creation.rrefId(),
                            creation.forkId(),
                            SimulatedGroup.TYPE);
            made.add(creation.rrefId());
            group.events.add(() -> { // the function runs
                result.tryComplete("value of " + creation.rrefId());
                group.events.add(() -> end(creator, creation, ended, null));
            });
        }

        private void end(
                SimulatedWorker creator,
                Creation<String> creation,
                boolean[] ended,
                @Nullable RuntimeException failure) {
            if (!ended[0] && creator.alive) {
                ended[0] = true;
                if (failure != null) {
                    failed.add(creation.rrefId());
                }
                creator.context.creationEnded(creation, failure);
            }
        }

        private void local(SimulatedWorker owner) {
            if (owner.alive) {
                var rref = (OwnerRRef<?>) owner.context.local("local");
                String text = rref.toString();
                long localId = Long.parseLong(text.replaceAll(".*local_id=(\\d+).*", "$1"));
                hold(
                        new Held(
                                owner,
                                rref,
                                new GloballyUniqueId(
                                        owner.info.id(), localId, SimulatedGroup.SECRET),
                                owner.info.id()));
            }
        }

        private void hold(Held held) {
            open.add(held);
        }

        private void send() {
            if (open.isEmpty()) {
                return;
            }
            Held held = open.get(random.nextInt(open.size()));
            onTheWay++;
            try {
                held.holder()
                        .send(
                                held,
                                anyone(),
                                random.nextInt(8) == 0,
                                received -> {
                                    onTheWay--;
                                    if (received != null) {
                                        hold(received);
                                    }
                                });
            } catch (RpcException e) {
                onTheWay--; // its creation has failed, or its owner died
                assertTrue(lossy || e.getMessage().startsWith("RRef creation"), e::toString);
            }
        }

        private void close() {
            if (!open.isEmpty()) {
                open.remove(random.nextInt(open.size())).rref().close();
            }
        }

        private record Fetch(SimulatedWorker owner, CallFuture<@Nullable Object> value) {}

        /** Fetch a value from its owner; the request may arrive after its handle was closed. */
        private void fetch() {
            if (open.isEmpty()) {
                return;
            }
            Held held = open.get(random.nextInt(open.size()));
            SimulatedWorker owner = group.worker(held.owner());
            if (held.rref().isOwner()) {
                return;
            }
            group.events.add(() -> {
                if (owner.alive) {
                    try {
                        fetches.add(
                                new Fetch(
                                        owner,
                                        owner.context.ownedValue(
                                                held.holder().info.id(),
                                                held.rrefId(),
                                                SimulatedGroup.TYPE)));
                    } catch (RpcException e) {
                        boolean mayFail = lossy || failed.contains(held.rrefId());
                        assertTrue(mayFail || !open.contains(held), e::toString);
                    }
                }
            });
        }

        private void kill() {
            SimulatedWorker victim = anyone();
            long alive = group.workers.stream().filter(worker -> worker.alive).count();
            if (!victim.alive || alive == 1) {
                return;
            }
            victim.alive = false;
            open.removeIf(held -> held.holder() == victim);
            for (SimulatedWorker survivor : group.workers) {
                if (survivor.alive) {
                    group.events.add(() ->
                            survivor.context.onPeerLost(
                                    victim.info.id(),
                                    new RpcConnectionException(victim.info + " is gone")));
                }
            }
        }

        /** Check that the value of each open handle is alive, if it was requested. */
        void checkAlive() {
            for (Held held : open) {
                if (made.contains(held.rrefId()) && !held.rref().isOwner()) {
                    var _ =
                            group.worker(held.owner())
                                    .context
                                    .ownedValue(
                                            held.holder().info.id(),
                                            held.rrefId(),
                                            SimulatedGroup.TYPE);
                }
            }
        }

        void end() {
            group.settle(random);
            assertEquals(0, onTheWay);
            while (!open.isEmpty()) {
                close();
            }
            group.settle(random);
            for (Fetch fetch : fetches) {
                assertTrue(
                        !fetch.owner.alive || fetch.value.isDone(), "a fetch was never answered");
            }
            for (SimulatedWorker worker : group.workers) {
                if (worker.alive) {
                    for (String figure :
                            List.of("num_owner_rrefs", "num_forks", "num_pending_users")) {
                        assertEquals(0, worker.figure(figure), () -> group.workers + figure);
                    }
                    worker.context.deleteAll(Duration.ofMillis(1));
                    assertSame(0, group.events.size(), "a reference was still to be deleted");
                    assertEquals(0, worker.unsent.get(), "the group would not end");
                    assertEquals(List.of(), worker.context.destroy());
                }
            }
        }
    }

    @Property(tries = 1500)
    void valuesLiveAsLongAsTheirHandlesAndNoLonger(
            @ForAll long seed,
            @ForAll @IntRange(min = 2, max = 5) int workers,
            @ForAll @IntRange(min = 1, max = 150) int actions) {
        var program = new Program(seed, workers, false);
        for (int i = 0; i < actions; i++) {
            program.act();
            program.checkAlive();
        }
        program.end();
    }

    @Property(tries = 1500)
    void nothingIsLeftOfWorkersThatDied(
            @ForAll long seed,
            @ForAll @IntRange(min = 2, max = 5) int workers,
            @ForAll @IntRange(min = 1, max = 150) int actions) {
        var program = new Program(seed, workers, true);
        for (int i = 0; i < actions; i++) {
            program.act();
        }
        program.end();
    }
}
