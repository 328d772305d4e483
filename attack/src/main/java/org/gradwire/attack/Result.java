package org.gradwire.attack;

import org.gradwire.attack.intruder.Count;
import org.gradwire.attack.site.Figures;
import org.gradwire.attack.victim.FriendReport;

import java.util.List;

/**
 * What came of one way in.
 *
 * @param count what became of the inputs
 * @param friend how the calls of the friend ended meanwhile
 * @param before what the victim held before
 * @param after what it held afterwards
 * @param faults what must not have happened, in words; none when the victim stood it
 */
record Result(
        Way way,
        Count count,
        FriendReport friend,
        Figures before,
        Figures after,
        double seconds,
        List<String> faults) {

    Result {
        faults = List.copyOf(faults);
    }
}
