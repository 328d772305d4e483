package org.gradwire.spi.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/** Slurm's lists of hosts. */
class HostListTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    vm                       | vm
                    a,b.example.org          | a b.example.org
                    gnode[10,20-22,7]        | gnode10 gnode20 gnode21 gnode22 gnode7
                    a[01-03]b,c              | a01b a02b a03b c
                    n[8-11]                  | n8 n9 n10 n11
                    n[08-11]                 | n08 n09 n10 n11
                    n[098-101]               | n098 n099 n100 n101
                    rack[1-2]n[1-2]          | rack1n1 rack1n2 rack2n1 rack2n2
                    a[1,3]-[05-06]x,b[2]     | a1-05x a1-06x a3-05x a3-06x b2
                    """)
    void isExpandedInOrder(String list, String hosts) {
        assertEquals(List.of(hosts.split(" ")), HostList.expand(list));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ",",
                "a,",
                ",a",
                "a,,b",
                "a[",
                "a]",
                "a[]",
                "a[1",
                "a1]",
                "a[1-]",
                "a[-1]",
                "a[2-1]",
                "a[1,]",
                "a[x]",
                "a[1-2[3]]",
                "a b",
                "a[1 2]",
                "a[1x2]",
                "a[1][1][1][1][1]",
                "a[1111111111]"
            })
    void malformedListIsRefused(String list) {
        var failure = assertThrows(IllegalArgumentException.class, () -> HostList.expand(list));
        assertEquals("is not a list of hosts, such as a1,b[01-03,7]", failure.getMessage());
    }

    @Test
    void numberOfHostsIsBounded() {
        assertEquals(32767, HostList.expand("n[1-32767]").size());
        for (String list : List.of("n[1-32768]", "n[0-999999999]", "n[1-999]m[1-999]")) {
            var failure = assertThrows(IllegalArgumentException.class, () -> HostList.expand(list));
            assertEquals("has more than 32767 hosts", failure.getMessage());
        }
    }
}
