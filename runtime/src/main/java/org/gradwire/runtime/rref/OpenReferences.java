package org.gradwire.runtime.rref;

import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.UntrustedText;
import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reports the references that a program has not closed when its worker leaves. */
final class OpenReferences {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.rref");
    private static final int MOST_KINDS = 20;

    private OpenReferences() {}

    /** References that differ only in their ids. */
    private record Kind(String type, WorkerInfo owner, @Nullable String site) {
        private static Kind of(UserState state) {
            return new Kind(UntrustedText.quote(state.type.name()), state.owner, state.site);
        }

        private String text(long count) {
            return "%d of type %s, owned by %s%s"
                    .formatted(count, type, owner.name(), CreationSites.text(site));
        }
    }

    /** Log a warning with the references that were not closed, if any. */
    static void report(WorkerInfo self, List<UserState> open) {
        if (open.isEmpty()) {
            return;
        }
        String lines =
                lines(open).stream().map(line -> "\n  " + line).collect(Collectors.joining());
        LOGGER.log(
                System.Logger.Level.WARNING,
                "%s: %s never closed, and released now:%s%s"
                        .formatted(self, count(open.size()), lines, advice(open)));
    }

    /** {@return a line for each kind of references, with their number} */
    static List<String> lines(List<UserState> open) {
        Map<Kind, Long> kinds =
                open.stream()
                        .collect(
                                Collectors.groupingBy(
                                        Kind::of, LinkedHashMap::new, Collectors.counting()));
        Stream<String> named =
                kinds.entrySet().stream()
                        .limit(MOST_KINDS)
                        .map(kind -> kind.getKey().text(kind.getValue()));
        return Stream.concat(named, more(kinds.size()).stream()).toList();
    }

    private static String count(int references) {
        return references == 1 ? "1 reference was" : references + " references were";
    }

    private static Optional<String> more(int kinds) {
        return kinds > MOST_KINDS
                ? Optional.of("and %d other kinds".formatted(kinds - MOST_KINDS))
                : Optional.empty();
    }

    private static String advice(List<UserState> open) {
        return open.stream().anyMatch(state -> state.site != null)
                ? ""
                : "\nClose them when they are no longer needed; with gradwire.rref-creation-sites=true this report names the lines that made them.";
    }
}
