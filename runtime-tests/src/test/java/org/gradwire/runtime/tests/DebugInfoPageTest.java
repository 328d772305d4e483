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
 * Compares the keys in {@code docs/debug-info.md} with those of a worker's metrics. The keys of the
 * backend tensorpipe are in its own README.
 */
@Timeout(60)
class DebugInfoPageTest {
    private static final Path PAGE = Path.of("../docs/debug-info.md");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+)` \\|");

    /** Present only while passes are stalled; covered by another test. */
    private static final String STALLED = "stalled_backward_passes";

    /** Present only while references are open; covered by another test. */
    private static final String OPEN = "open_references";

    private static final Map<String, String> FAULTS =
            Map.of(
                    "gradwire.backend", "faulty",
                    "gradwire.faulty.backend", "inproc",
                    "gradwire.faulty.messages-to-fail", "",
                    "gradwire.faulty.messages-to-delay", "",
                    "gradwire.faulty.requests-to-lose", "UDF_CALL:0",
                    "gradwire.faulty.requests-to-corrupt", "UDF_CALL:0");

    @Test
    void pageHasTheKeysOfTheCode() throws Exception {
        Set<String> keys = new ConcurrentSkipListSet<>(Set.of(STALLED, OPEN));
        InprocGroup.runFirst(2, FAULTS, rpc -> keys.addAll(rpc.debugInfo().keySet()));
        try (var group = new SimulatedGroup(2, 1, Map.of())) {
            keys.addAll(group.get(0).debugInfo().keySet());
        }
        keys.removeIf(DebugInfoPageTest::namesADevice);
        Set<String> written =
                ROW.matcher(Files.readString(PAGE))
                        .results()
                        .map((MatchResult row) -> row.group(1))
                        .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(keys, written);
    }

    /** {@return whether a key contains a device or an operator; the page has these in a text} */
    private static boolean namesADevice(String key) {
        return key.startsWith("cuda:") || key.startsWith("host_copies.");
    }
}
