package org.gradwire.attack.operator;

import org.gradwire.attack.intruder.InputCounts;
import org.gradwire.attack.site.GroupCertificates;
import org.gradwire.attack.site.VictimGroup;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Renews the certificates of the victim, which serves the store too, and of the client in turns.
 * They expire soon, so that a renewal without effect loses a peer. Now and then another authority
 * takes over: all trust it, it issues the next certificates, and the former one is removed.
 *
 * <p>In the end all certificates are of the latest authority and last long.
 */
final class Rotation implements Operator {
    private static final List<String> WORKERS = List.of(VictimGroup.VICTIM, VictimGroup.CLIENT);
    private static final int RENEWALS_OF_AN_AUTHORITY = 12;
    private static final Duration VALIDITY = Duration.ofSeconds(60);
    private static final Duration PACE = Duration.ofSeconds(4);
    private static final Duration TIME_TO_FOLLOW = Duration.ofSeconds(20);

    @Override
    public InputCounts operate(
            VictimGroup group, RandomGenerator random, long inputs, Duration time)
            throws IOException, InterruptedException {
        GroupCertificates certificates = group.certificates();
        long start = System.nanoTime();
        int renewals = 0;
        while (renewals < inputs && System.nanoTime() - start < time.toNanos()) {
            if (renewals % RENEWALS_OF_AN_AUTHORITY == 0) {
                certificates.addAuthority();
                Thread.sleep(PACE); // until all trust it
            }
            renew(group, WORKERS.get(renewals % WORKERS.size()), VALIDITY);
            renewals++;
            removePrevious(certificates);
        }
        for (String worker : WORKERS) {
            renew(group, worker, GroupCertificates.LONG);
        }
        removePrevious(certificates);
        return new InputCounts(renewals, 0, renewals, 0);
    }

    private static void renew(VictimGroup group, String worker, Duration validity)
            throws IOException, InterruptedException {
        String serial = group.certificates().renew(worker, validity);
        group.awaitLogged(worker, "the serial number " + serial + " ", TIME_TO_FOLLOW);
        Thread.sleep(PACE); // until it is published
    }

    private static void removePrevious(GroupCertificates certificates)
            throws IOException, InterruptedException {
        if (certificates.hasPrevious() && certificates.areOfLatest(WORKERS)) {
            certificates.removePrevious();
            Thread.sleep(PACE); // peers whose certificates are refused would be lost by now
        }
    }
}
