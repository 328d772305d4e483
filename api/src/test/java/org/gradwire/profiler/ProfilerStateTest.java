package org.gradwire.profiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RpcException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The events that scopes record. */
class ProfilerStateTest {
    private final ProfilerState state = ProfilerState.begin(ProfilerOptions.DEFAULT, 7, null);

    @AfterEach
    void leave() {
        ProfilerState.restore(null);
    }

    private static List<String> names(Profile profile) {
        return profile.events().stream().map(ProfilerEvent::name).toList();
    }

    @Test
    void nothingIsRecordedUnlessTheThreadIs() {
        assertFalse(Profiler.isOn());
        Scope scope = Profiler.scope("nothing");
        scope.detach().run();
        scope.close();
        Runnable task = () -> {};
        assertSame(task, Profiler.carry(task));
        assertEquals(List.of(), state.profile().events());
    }

    @Test
    void scopesNest() {
        state.enter();
        try (Scope _ = Profiler.scope("outer")) {
            try (Scope _ = Profiler.scope("inner")) {
                assertEquals(List.of(), names(state.profile()));
            }
            try (Scope _ = Profiler.scope("second")) {
                assertEquals(List.of("inner"), names(state.profile()));
            }
        }
        Profile profile = state.profile();
        assertEquals(List.of("outer", "inner", "second"), names(profile));
        ProfilerEvent outer = profile.events().getFirst();
        assertEquals(ProfilerEvent.NO_PARENT, outer.parent());
        assertEquals(Optional.empty(), profile.parent(outer));
        assertEquals(profile.events().subList(1, 3), profile.children(outer));
        assertEquals(Optional.of(outer), profile.parent(profile.named("second").getFirst()));
        assertEquals(7, outer.nodeId());
        assertEquals(Thread.currentThread().threadId(), outer.threadId());
        assertTrue(outer.duration().compareTo(profile.named("inner").getFirst().duration()) >= 0);
    }

    @Test
    void aDetachedEventGoesOnWhenItsScopeIsClosed() {
        state.enter();
        Runnable end;
        try (Scope scope = Profiler.scope("detached")) {
            end = scope.detach();
            try (Scope _ = Profiler.scope("beside")) {
                assertEquals(List.of(), names(state.profile()));
            }
        }
        assertEquals(List.of("beside"), names(state.profile()));
        end.run();
        end.run();
        assertEquals(List.of("detached", "beside"), names(state.profile()));
        ProfilerEvent detached = state.profile().events().getFirst();
        assertTrue(detached.detached());
        assertEquals(List.of(), state.profile().children(detached));
    }

    @Test
    void whenAScopeEndsIsSettledOnce() {
        state.enter();
        try (Scope scope = Profiler.scope("twice")) {
            scope.detach().run();
            RpcException failure = assertThrows(RpcException.class, scope::detach);
            assertTrue(failure.getMessage().contains("can only be called once:"));
        }
        assertEquals(List.of("twice"), names(state.profile()));
    }

    @Test
    void aCarriedTaskIsRecordedWhereItWasMade() {
        state.enter();
        Runnable task;
        try (Scope _ = Profiler.scope("here")) {
            task = Profiler.carry(() -> Profiler.scope("there").close());
        }
        ProfilerState.restore(null);
        CompletableFuture.runAsync(task, action -> Thread.ofPlatform().start(action)).join();
        assertNull(ProfilerState.current());
        Profile profile = state.profile();
        ProfilerEvent there = profile.named("there").getFirst();
        assertEquals("here", profile.parent(there).orElseThrow().name());
        assertFalse(there.threadId() == Thread.currentThread().threadId());
    }

    @Test
    void anOuterProfileHasWhatAnInnerOneHas() {
        state.enter();
        ProfilerState inner;
        try (Scope _ = Profiler.scope("outer")) {
            inner = ProfilerState.begin(ProfilerOptions.DEFAULT, 7, ProfilerState.current());
            inner.run(() -> Profiler.scope("inner").close());
        }
        assertEquals(List.of("inner"), names(inner.profile()));
        Profile outer = state.profile();
        assertEquals(List.of("outer", "inner"), names(outer));
        assertEquals("outer", outer.parent(outer.named("inner").getFirst()).orElseThrow().name());
    }

    @Test
    void eventsOfACalleeComeBelowTheCallUnderItsName() {
        ProfilerState callee = ProfilerState.begin(ProfilerOptions.DEFAULT, 8, null);
        callee.run(() -> {
            try (Scope _ = Profiler.scope("f")) {
                Profiler.scope("g").close();
            }
        });
        state.enter();
        Profiler.scope("before").close();
        try (Scope _ = Profiler.scope("call")) {
            ProfilerState call = ProfilerState.current();
            if (call != null) {
                call.addRemote("call", callee.profile());
            }
        }
        Profile profile = state.profile();
        ProfilerEvent call = profile.named("call").getFirst();
        List<ProfilerEvent> below = profile.children(call);
        assertEquals(
                List.of("call#remote_op: f"), below.stream().map(ProfilerEvent::name).toList());
        List<ProfilerEvent> belowThat = profile.children(below.getFirst());
        assertEquals(
                List.of("call#remote_op: g"), belowThat.stream().map(ProfilerEvent::name).toList());
        assertTrue(belowThat.getFirst().remote());
        assertEquals(8, belowThat.getFirst().nodeId());
        assertEquals(4, profile.events().stream().mapToLong(ProfilerEvent::id).distinct().count());
    }

    @Test
    void whatIsTooMuchIsCounted() {
        var few = ProfilerState.begin(ProfilerOptions.DEFAULT.withMaxEvents(2), 0, null);
        few.run(() -> {
            for (int i = 0; i < 5; i++) {
                Profiler.scope("event" + i).close();
            }
        });
        assertEquals(List.of("event0", "event1"), names(few.profile()));
        assertEquals(3, few.profile().dropped());
        assertTrue(few.profile().table().contains("3 more events"));
        assertThrows(
                IllegalArgumentException.class, () -> ProfilerOptions.DEFAULT.withMaxEvents(0));
    }

    @Test
    void shapesAreAskedForOnlyWhenWanted() {
        state.enter();
        Profiler.scope("plain", () -> List.of(List.of(2, 3))).close();
        var shaped = ProfilerState.begin(ProfilerOptions.DEFAULT.withShapes(), 0, null);
        shaped.run(() -> Profiler.scope("shaped", () -> List.of(List.of(2, 3))).close());
        assertEquals(List.of(), state.profile().events().getFirst().shapes());
        assertEquals(List.of(List.of(2, 3)), shaped.profile().events().getFirst().shapes());
    }
}
