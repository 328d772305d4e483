package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.concurrent.TimeUnit.SECONDS;

import org.gradwire.rpc.GroupView;
import org.gradwire.rpc.GroupView.MemberEvent;
import org.gradwire.rpc.GroupView.MemberEvent.Kind;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.rpc.elastic.Elastic;
import org.gradwire.rpc.elastic.ElasticProgram;
import org.gradwire.runtime.tests.functions.Numbers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Views of a dynamic group, events of its members, and programs that recover. */
@Timeout(60)
class MemberEventsTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final String meeting = "inproc://" + UUID.randomUUID();
    private final List<Rpc> workers = new ArrayList<>();

    private RpcOptions.Builder options(int rank) {
        return RpcOptions.builder().rank(rank).dynamicGroup().backend("inproc").rendezvous(meeting);
    }

    private Rpc join(int rank, int restart) {
        Rpc worker =
                Rpc.init(options(rank).set("gradwire.restart", Integer.toString(restart)).build());
        workers.add(worker);
        return worker;
    }

    @AfterEach
    void close() {
        workers.forEach(Rpc::shutdownNow);
    }

    private static BlockingQueue<MemberEvent> events(Rpc worker) {
        BlockingQueue<MemberEvent> events = new LinkedBlockingQueue<>();
        var _ = worker.onMember(events::add);
        return events;
    }

    private static List<MemberEvent> take(BlockingQueue<MemberEvent> events, int count)
            throws InterruptedException {
        List<MemberEvent> taken = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            MemberEvent event = events.poll(30, SECONDS);
            assertTrue(event != null, () -> "only " + taken);
            taken.add(event);
        }
        return taken;
    }

    @Test
    void membersSeeTheSameEventsInTheSameOrder() throws Exception {
        Rpc first = join(0, 0);
        Rpc second = join(1, 0);
        BlockingQueue<MemberEvent> ofFirst = events(first);
        BlockingQueue<MemberEvent> ofSecond = events(second);
        Rpc third = join(2, 0);
        third.shutdown();
        WorkerInfo lost = join(2, 0).self();
        join(2, 1); // while the earlier process still runs, as if it had stopped responding
        List<MemberEvent> seen = take(ofFirst, 5);
        assertEquals(seen, take(ofSecond, 5));
        assertEquals(
                List.of(Kind.JOINED, Kind.LEFT, Kind.RETURNED, Kind.LOST, Kind.RETURNED),
                seen.stream().map(MemberEvent::kind).toList());
        List<WorkerInfo> without = List.of(first.self(), second.self());
        for (MemberEvent event : seen) {
            assertEquals(lost, event.worker());
            boolean isDeparture = event.kind().isDeparture();
            assertEquals(
                    isDeparture ? without : List.of(first.self(), second.self(), lost),
                    event.view().members());
            assertTrue(
                    isDeparture
                            ? event.incarnation() < event.view().number()
                            : event.incarnation() == event.view().number(),
                    event.toString());
        }
        assertEquals(seen.get(3).view().number(), seen.get(4).view().number());
        assertEquals(seen.getLast().view(), first.view());
        assertEquals(seen.getLast().view(), workers.getLast().view());
    }

    @Test
    void replacedProcessStops() throws Exception {
        join(0, 0);
        Rpc earlier = join(1, 0);
        join(1, 1);
        RpcException stopped =
                assertThrows(
                        RpcException.class,
                        () -> {
                            while (true) {
                                earlier.awaitView(view -> view.number() > 3, LIMIT);
                            }
                        });
        assertEquals(
                "WorkerInfo(id=1, name=worker1) has stopped: the others of its group have lost it and continue without it",
                stopped.getMessage());
    }

    @Test
    void referencesToALostProcessFailWithItsIncarnation() {
        Rpc first = join(0, 0);
        join(1, 0);
        RRef<Integer> sum = first.remote("worker1", Numbers::add, 2, 3);
        assertEquals(5, sum.toHere());
        join(1, 1);
        first.awaitView(view -> view.number() == 3, LIMIT);
        var failure = assertThrows(RpcConnectionException.class, sum::toHere);
        assertTrue(
                failure.getMessage()
                        .contains(
                                "WorkerInfo(id=1, name=worker1): its incarnation 2 was lost to the group in view 3"),
                failure.getMessage());
        assertEquals(5, first.rpcSync("worker1", Numbers::add, 2, 3));
    }

    @Test
    void listenerIsNotNotifiedAfterItIsClosed() throws Exception {
        Rpc first = join(0, 0);
        BlockingQueue<MemberEvent> closed = new LinkedBlockingQueue<>();
        first.onMember(closed::add).close();
        BlockingQueue<MemberEvent> open = events(first);
        join(1, 0);
        take(open, 1);
        assertTrue(closed.isEmpty());
    }

    @Test
    void failureOfAListenerConcernsNoOther() throws Exception {
        Rpc first = join(0, 0);
        var _ =
                first.onMember(event -> {
                    throw new IllegalStateException("fails at " + event);
                });
        BlockingQueue<MemberEvent> events = events(first);
        join(1, 0);
        assertEquals(Kind.JOINED, take(events, 1).getFirst().kind());
    }

    @Test
    void listenerCallsTheNewMember() throws Exception {
        Rpc first = join(0, 0);
        BlockingQueue<Integer> sums = new LinkedBlockingQueue<>();
        var _ =
                first.onMember(event ->
                        sums.add(Rpc.current().rpcSync(event.worker().name(), Numbers::add, 2, 3)));
        join(1, 0);
        assertEquals(5, sums.poll(30, SECONDS));
    }

    @Test
    void staticGroupHasOneView() {
        try (var group = new InprocWorkers(2)) {
            Rpc worker = group.get(0);
            assertEquals(new GroupView(0, worker.workers()), worker.view());
            var failure = assertThrows(RpcException.class, () -> worker.onMember(event -> {}));
            assertTrue(failure.getMessage().contains("set gradwire.group=dynamic"));
        }
    }

    @Test
    void memberThatLeftBeforeAWorkerJoinedIsNotAwaited() {
        Rpc first = join(0, 0);
        Rpc second = join(1, 0);
        second.close();
        Rpc third = join(2, 0);
        assertEquals(Set.of(second.self()), third.view().left());
        assertEquals(
                third.view(), first.awaitView(view -> view.member("worker2").isPresent(), LIMIT));
        Elastic.on(third).timeout(Duration.ofMillis(1)).serveUntilLeft("worker1");
    }

    @Test
    void awaitedViewThatDoesNotComeIsATimeout() {
        Rpc first = join(0, 0);
        var failure =
                assertThrows(
                        RpcTimeoutException.class,
                        () ->
                                first.awaitView(
                                        view -> view.members().size() > 1, Duration.ofMillis(10)));
        assertTrue(
                failure.getMessage().endsWith("its last one is view 1 of [worker0]"),
                failure.getMessage());
    }

    @Test
    void restartedWorkerCannotTakeAnotherName() {
        join(0, 0);
        var failure =
                assertThrows(
                        RpcConfigurationException.class,
                        () ->
                                Rpc.init(
                                        options(0)
                                                .name("other")
                                                .set("gradwire.restart", "1")
                                                .build()));
        assertTrue(failure.getMessage().contains("cannot take over"), failure.getMessage());
    }

    @Test
    void readyFileShowsThatTheWorkerIsAMember(@TempDir Path folder) {
        Path file = folder.resolve("ready");
        Path left = folder.resolve("ready.left");
        Rpc worker = Rpc.init(options(0).set("gradwire.ready-file", file.toString()).build());
        assertTrue(Files.exists(file));
        worker.shutdown();
        assertTrue(Files.notExists(file) && Files.exists(left));
        var failure =
                assertThrows(
                        RpcConfigurationException.class,
                        () ->
                                Rpc.init(
                                        options(1)
                                                .set(
                                                        "gradwire.ready-file",
                                                        folder.resolve("no/ready").toString())
                                                .build()));
        assertTrue(failure.getMessage().contains("gradwire.ready-file="), failure.getMessage());
    }

    /** Counts to a number on another worker, which it replaces when it is lost. */
    private static final class Counting implements ElasticProgram {
        private final Rpc rpc;
        private final CountDownLatch begun = new CountDownLatch(1);
        private final List<Long> recoveries = new ArrayList<>();
        private int steps;

        private Counting(Rpc rpc) {
            this.rpc = rpc;
        }

        @Override
        public void recover(GroupView view) {
            recoveries.add(view.number());
        }

        @Override
        public boolean step(GroupView view) {
            steps = rpc.rpcSync("worker1", Numbers::add, steps, 1);
            begun.countDown();
            return recoveries.size() < 2;
        }
    }

    @Test
    void programRecoversAfterTheLossOfAMember() throws Exception {
        Rpc first = join(0, 0);
        join(1, 0);
        var program = new Counting(first);
        var running =
                InprocWorkers.onThread(() -> {
                    Elastic.on(first).when(view -> view.member("worker1").isPresent()).run(program);
                    return program.steps;
                });
        program.begun.await();
        join(1, 1);
        assertTrue(running.get(30, SECONDS) > 0);
        assertEquals(List.of(2L, 3L), program.recoveries);
    }

    @Test
    void failureWithoutAChangeIsThrown() {
        Rpc first = join(0, 0);
        var steps = new AtomicInteger();
        ElasticProgram program =
                new ElasticProgram() {
                    @Override
                    public void recover(GroupView view) {}

                    @Override
                    public boolean step(GroupView view) {
                        steps.incrementAndGet();
                        throw new IllegalStateException("of the program");
                    }
                };
        assertThrows(IllegalStateException.class, () -> Elastic.on(first).run(program));
        assertEquals(1, steps.get());
    }

    @Test
    void stepThatWaitsForeverIsInterruptedAfterAChange() throws Exception {
        Rpc first = join(0, 0);
        var waiting = new CountDownLatch(1);
        ElasticProgram program =
                new ElasticProgram() {
                    @Override
                    public void recover(GroupView view) {}

                    @Override
                    public boolean step(GroupView view) {
                        if (view.members().size() > 1) {
                            return false;
                        }
                        waiting.countDown();
                        first.awaitView(next -> false, Duration.ofDays(1));
                        return true;
                    }
                };
        var running =
                InprocWorkers.onThread(() -> {
                    Elastic.on(first).grace(Duration.ofMillis(50)).run(program);
                    return Thread.currentThread().isInterrupted();
                });
        waiting.await();
        join(1, 0);
        assertEquals(false, running.get(30, SECONDS));
    }
}
