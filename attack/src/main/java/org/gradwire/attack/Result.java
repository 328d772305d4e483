package org.gradwire.attack;

import org.gradwire.attack.intruder.InputCounts;
import org.gradwire.attack.site.VictimMetrics;
import org.gradwire.attack.victim.HonestClientReport;

import java.util.List;

/**
 * The result of one attack vector.
 *
 * @param inputCounts outcomes of the inputs
 * @param client outcomes of the honest client's calls meanwhile
 * @param before metrics of the victim before the attack
 * @param after metrics of the victim after it
 * @param faults descriptions of forbidden outcomes; empty when the victim withstood the attack
 */
record Result(
        AttackVector attackVector,
        InputCounts inputCounts,
        HonestClientReport client,
        VictimMetrics before,
        VictimMetrics after,
        double seconds,
        List<String> faults) {

    Result {
        faults = List.copyOf(faults);
    }
}
