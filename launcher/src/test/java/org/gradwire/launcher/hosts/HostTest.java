package org.gradwire.launcher.hosts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Optional;

class HostTest {

    @Test
    void listHasUsersAndNumbersOfWorkers() {
        assertEquals(
                List.of(
                        new Host(Optional.empty(), "h1", Optional.empty()),
                        new Host(Optional.of("me"), "h2.example", Optional.of(4)),
                        new Host(Optional.empty(), "[fe80::1%eth0]", Optional.of(2))),
                Host.parseList("h1, me@h2.example:4,[fe80::1%eth0]:2"));
    }

    @Test
    void sshGetsTheUserAndAnAddressWithoutBrackets() {
        assertEquals(
                List.of("h1", "me@h2", "me@::1"),
                Host.parseList("h1:3,me@h2,me@[::1]").stream().map(Host::destination).toList());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | the list of hosts '' has an empty entry: write HOST[,HOST...]",
                "h1,,h2 | the list of hosts 'h1,,h2' has an empty entry",
                "h1,h2, | the list of hosts 'h1,h2,' has an empty entry",
                "h1,h2,h1 | host 'h1' is twice in 'h1,h2,h1': name it once, with its number of workers: h1:2",
                "h1,me@h1:2 | host 'h1' is twice",
                "h1:0 | '0' in 'h1:0' is not a number of workers from 1 to 32767",
                "h1:two | 'two' in 'h1:two' is not a number of workers",
                "h1: | '' in 'h1:' is not a number of workers",
                "h1:99999 | '99999' in 'h1:99999' is not a number of workers",
                "-oProxyCommand=x | '-oProxyCommand=x' is not a host: write HOST, USER@HOST or HOST:WORKERS",
                "me@-oProxyCommand=x | 'me@-oProxyCommand=x' is not a host",
                "-l@h1 | '-l@h1' is not a host",
                "h1 h2 | 'h1 h2' is not a host",
                "@h1 | '@h1' is not a host",
            })
    void entriesOfAnotherFormAreRefused(String list, String problem) {
        var e = assertThrows(IllegalArgumentException.class, () -> Host.parseList(list));
        assertTrue(String.valueOf(e.getMessage()).contains(problem), e.getMessage());
    }
}
