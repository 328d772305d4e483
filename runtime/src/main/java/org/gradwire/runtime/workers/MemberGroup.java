package org.gradwire.runtime.workers;

import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RetryPolicy;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.WorkerGroup;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.call.WorkerCalls;
import org.gradwire.runtime.function.CallOptions;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Members of a worker's group. Thread-safe. */
public final class MemberGroup implements WorkerGroup {
    private final Rpc rpc;
    private final WorkerCalls calls;
    private final List<WorkerInfo> members;
    private final CallOptions options;
    private final AtomicInteger rotation = new AtomicInteger();

    private MemberGroup(Rpc rpc, WorkerCalls calls, List<WorkerInfo> members, CallOptions options) {
        this.rpc = rpc;
        this.calls = calls;
        this.members = members;
        this.options = options;
    }

    /**
     * Return the members whose names match a pattern.
     *
     * @throws RpcException if there are none
     */
    public static MemberGroup matching(Rpc rpc, WorkerCalls calls, String pattern) {
        Pattern glob = glob(pattern);
        List<WorkerInfo> all = rpc.workers();
        List<WorkerInfo> found =
                all.stream().filter(member -> glob.matcher(member.name()).matches()).toList();
        if (found.isEmpty()) {
            throw new RpcException(
                    "no member of the group has a name like \"%s\"; the members are %s"
                            .formatted(pattern, names(all)));
        }
        return of(rpc, calls, found);
    }

    private static Pattern glob(String pattern) {
        String regex =
                pattern.codePoints()
                        .mapToObj(Character::toString)
                        .map(one ->
                                switch (one) {
                                    case "*" -> ".*";
                                    case "?" -> ".";
                                    default -> Pattern.quote(one);
                                })
                        .collect(Collectors.joining());
        return Pattern.compile(regex, Pattern.DOTALL);
    }

    private static String names(List<WorkerInfo> members) {
        return members.stream().map(WorkerInfo::name).collect(Collectors.joining(", "));
    }

    /**
     * Return the members with names.
     *
     * @throws RpcException if there is no member with one of them
     * @throws IllegalArgumentException if there are none, or one occurs twice
     */
    public static MemberGroup named(Rpc rpc, WorkerCalls calls, Collection<String> names) {
        if (names.isEmpty()) {
            throw new IllegalArgumentException("a group of workers needs at least one name");
        }
        Set<String> known = new HashSet<>();
        for (String name : names) {
            if (!known.add(name)) {
                throw new IllegalArgumentException(
                        "the name %s occurs twice in %s".formatted(name, names));
            }
        }
        return of(rpc, calls, names.stream().map(rpc::worker).toList());
    }

    private static MemberGroup of(Rpc rpc, WorkerCalls calls, List<WorkerInfo> members) {
        List<WorkerInfo> sorted =
                members.stream().sorted(Comparator.comparingInt(WorkerInfo::id)).toList();
        return new MemberGroup(rpc, calls, sorted, CallOptions.NONE);
    }

    @Override
    public List<WorkerInfo> members() {
        return members;
    }

    @Override
    public WorkerGroup slice(int from, int to) {
        List<WorkerInfo> part = List.copyOf(members.subList(from, to));
        if (part.isEmpty()) {
            throw new IllegalArgumentException(
                    "the part from %d to %d of %d members is empty"
                            .formatted(from, to, members.size()));
        }
        return new MemberGroup(rpc, calls, part, options);
    }

    private WorkerGroup with(CallOptions newOptions) {
        return new MemberGroup(rpc, calls, members, newOptions);
    }

    @Override
    public WorkerGroup withTimeout(Duration timeout) {
        return with(options.withTimeout(timeout));
    }

    @Override
    public WorkerGroup withoutTimeout() {
        return with(options.withoutTimeout());
    }

    @Override
    public WorkerGroup withRetry(RetryPolicy policy) {
        return with(options.withRetry(policy));
    }

    @Override
    public <R extends @Nullable Object> RpcFuture<Results<R>> callAllAsync(
            IntFunction<Call<R>> eachCall, FailureRule rule) {
        int needed = rule.successes() == 0 ? members.size() : rule.successes();
        if (needed > members.size()) {
            throw new IllegalArgumentException(
                    "%s of %d members cannot succeed".formatted(rule, members.size()));
        }
        return new RuledCall<>(start(eachCall), needed).result();
    }

    @Override
    public <R extends @Nullable Object> ResultStream<R> stream(IntFunction<Call<R>> eachCall) {
        return new ArrivedResults<>(start(eachCall));
    }

    private <R extends @Nullable Object> StartedCalls<R> start(IntFunction<Call<R>> eachCall) {
        return StartedCalls.start(calls, members, eachCall, options);
    }

    @Override
    public WorkerInfo choose() {
        int first = Math.floorMod(rotation.getAndIncrement(), members.size());
        WorkerInfo best = members.get(first);
        int fewest = calls.inFlight(best);
        for (int i = 1; i < members.size() && fewest > 0; i++) {
            WorkerInfo other = members.get((first + i) % members.size());
            int inFlight = calls.inFlight(other);
            if (inFlight < fewest) {
                best = other;
                fewest = inFlight;
            }
        }
        return best;
    }

    @Override
    public <T extends @Nullable Object> List<RRef<T>> broadcast(T value) {
        String self = rpc.self().name();
        List<List<String>> subtrees =
                new ArrayList<>(
                        Broadcast.subtrees(
                                names().stream().filter(name -> !name.equals(self)).toList()));
        if (names().contains(self)) {
            subtrees.add(List.of(self));
        }
        var message = new Broadcast.Message<>(value, List.of(), calls.limit(options));
        Map<String, RRef<T>> made =
                Broadcast.send(
                        message,
                        subtrees,
                        heads ->
                                new MemberGroup(
                                        rpc,
                                        calls,
                                        members.stream()
                                                .filter(member -> heads.contains(member.name()))
                                                .toList(),
                                        options));
        return names().stream().map(name -> Objects.requireNonNull(made.get(name))).toList();
    }
}
