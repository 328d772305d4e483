package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * {@code docs/debug-info.md} has the keys of a worker's figures: those that there are, and no
 * others. Those of the backend tensorpipe are in its own README.
 */
@Timeout(60)
class DebugInfoPageTest {
    private static final Path PAGE = Path.of("../docs/debug-info.md");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+)` \\|");

    /** Only while passes are stalled, as another test shows. */
    private static final String STALLED = "stalled_backward_passes";

    /** Only while references are open, as another test shows. */
    private static final String OPEN = "open_references";

    private static final Map<String, String> FAULTS =
            Map.of(
                    "gradwire.backend", "faulty",
                    "gradwire.faulty.backend", "inproc",
                    "gradwire.faulty.messages-to-fail", "",
                    "gradwire.faulty.messages-to-delay", "",
                    "gradwire.faulty.requests-to-lose", "PYTHON_CALL:0",
                    "gradwire.faulty.requests-to-corrupt", "PYTHON_CALL:0");

    @Test
    void thePageHasTheKeysOfTheCode() throws Exception {
        Set<String> keys = new ConcurrentSkipListSet<>(Set.of(STALLED, OPEN));
        InprocGroup.runFirst(2, FAULTS, rpc -> keys.addAll(rpc.debugInfo().keySet()));
        try (var group = new SimulatedGroup(2, 1, Map.of())) {
            keys.addAll(group.get(0).debugInfo().keySet());
        }
        Set<String> written =
                ROW.matcher(Files.readString(PAGE))
                        .results()
                        .map((MatchResult row) -> row.group(1))
                        .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(keys, written);
    }
}
