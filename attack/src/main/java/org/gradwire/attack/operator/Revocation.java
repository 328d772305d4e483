package org.gradwire.attack.operator;

import org.gradwire.attack.intruder.InputCounts;
import org.gradwire.attack.site.GroupCertificates;
import org.gradwire.attack.site.Member;
import org.gradwire.attack.site.VictimGroup;

import java.io.IOException;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Revokes the certificate of a member while another worker joins: the member is lost soon and does
 * not come back, and the other worker joins and calls.
 */
final class Revocation implements Operator {
    private static final int LONGEST_PAUSE_MILLIS = 4_000; // as long as a JVM takes to join
    private static final Duration TIME_TO_LOSE = Duration.ofSeconds(10);
    private static final Duration TIME_TO_START = Duration.ofSeconds(60);

    @Override
    public InputCounts operate(
            VictimGroup group, RandomGenerator random, long inputs, Duration time)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        int revoked = 0;
        while (revoked < inputs && System.nanoTime() - start < time.toNanos()) {
            revokeOne(group, random);
            revoked++;
        }
        return new InputCounts(revoked, revoked, 0, revoked);
    }

    private static void revokeOne(VictimGroup group, RandomGenerator random)
            throws IOException, InterruptedException {
        GroupCertificates certificates = group.certificates();
        String name = group.newGuest();
        certificates.renew(name, GroupCertificates.LONG);
        try (Member guest = group.startGuest(name)) {
            guest.awaitReady(TIME_TO_START);
            String other = group.newGuest();
            certificates.renew(other, GroupCertificates.LONG);
            try (Member joining = group.startGuest(other)) {
                Thread.sleep(random.nextInt(LONGEST_PAUSE_MILLIS));
                certificates.revoke(name);
                guest.awaitRefusal(TIME_TO_LOSE);
                joining.awaitReady(TIME_TO_START);
            }
        }
        try (Member again = group.startGuest(name)) {
            again.awaitRefusal(TIME_TO_START);
        }
    }
}
