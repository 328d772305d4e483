package org.gradwire.optim.lr;

/**
 * The 1cycle policy: the learning rate rises to a maximum and anneals to nearly zero, while the
 * momentum falls and rises. Epochs are batches. The optimizer's initial rates are ignored; after
 * the last step the rates stay.
 *
 * {@snippet :
 * var scheduler = new LRScheduler(optimizer, OneCycleLR.of(0.1, epochs * batches).pctStart(0.2));
 * }
 *
 * @param maxLr the maximum learning rate
 * @param totalSteps the steps of the cycle, at least 1
 * @param pctStart the share of the cycle in which the rate rises, 0 to 1
 * @param linear whether rates change linearly instead of along a cosine
 * @param cycleMomentum whether the momentum is changed, if the optimizer has one
 * @param divFactor the first rate is {@code maxLr / divFactor}
 * @param finalDivFactor the last rate is the first one divided by this
 * @param threePhase whether the rate returns to the first one, as fast as it rose, before it goes
 *     down to the last
 */
public record OneCycleLR(
        double maxLr,
        int totalSteps,
        double pctStart,
        boolean linear,
        boolean cycleMomentum,
        double baseMomentum,
        double maxMomentum,
        double divFactor,
        double finalDivFactor,
        boolean threePhase)
        implements Schedule {

    /** Validates the options. */
    public OneCycleLR {
        if (totalSteps < 1) {
            throw new IllegalArgumentException(
                    "totalSteps must be 1 or more, but is " + totalSteps);
        }
        if (!(pctStart >= 0 && pctStart <= 1)) {
            throw new IllegalArgumentException("pctStart must be from 0 to 1, but is " + pctStart);
        }
    }

    /** Return PyTorch's defaults for a maximum rate and a number of steps. */
    public static OneCycleLR of(double maxLr, int totalSteps) {
        return new OneCycleLR(
                maxLr,
                totalSteps,
                0.3,
                /* linear= */ false,
                /* cycleMomentum= */ true,
                0.85,
                0.95,
                25,
                1e4,
                /* threePhase= */ false);
    }

    /** Return the same cycle with another share of rising rates. */
    public OneCycleLR pctStart(double part) {
        return new OneCycleLR(
                maxLr,
                totalSteps,
                part,
                linear,
                cycleMomentum,
                baseMomentum,
                maxMomentum,
                divFactor,
                finalDivFactor,
                threePhase);
    }

    /** Return the same cycle with linear or cosine annealing. */
    public OneCycleLR linear(boolean wanted) {
        return new OneCycleLR(
                maxLr,
                totalSteps,
                pctStart,
                wanted,
                cycleMomentum,
                baseMomentum,
                maxMomentum,
                divFactor,
                finalDivFactor,
                threePhase);
    }

    /** Return the same cycle with or without cycling momenta. */
    public OneCycleLR cycleMomentum(boolean wanted) {
        return new OneCycleLR(
                maxLr,
                totalSteps,
                pctStart,
                linear,
                wanted,
                baseMomentum,
                maxMomentum,
                divFactor,
                finalDivFactor,
                threePhase);
    }

    /** Return the same cycle between other momenta. */
    public OneCycleLR momenta(double base, double max) {
        return new OneCycleLR(
                maxLr,
                totalSteps,
                pctStart,
                linear,
                cycleMomentum,
                base,
                max,
                divFactor,
                finalDivFactor,
                threePhase);
    }

    /** Return the same cycle with another first rate and another last one. */
    public OneCycleLR divFactors(double first, double last) {
        return new OneCycleLR(
                maxLr,
                totalSteps,
                pctStart,
                linear,
                cycleMomentum,
                baseMomentum,
                maxMomentum,
                first,
                last,
                threePhase);
    }

    /** Return the same cycle in three phases, or in two. */
    public OneCycleLR threePhase(boolean wanted) {
        return new OneCycleLR(
                maxLr,
                totalSteps,
                pctStart,
                linear,
                cycleMomentum,
                baseMomentum,
                maxMomentum,
                divFactor,
                finalDivFactor,
                wanted);
    }

    @Override
    public double lr(int epoch, double current, double initial) {
        double first = maxLr / divFactor;
        double last = first / finalDivFactor;
        Phase phase = phase(epoch);
        double from = phase.index() == 1 ? maxLr : first;
        double to =
                switch (phase.index()) {
                    case 0 -> maxLr;
                    case 1 -> threePhase ? first : last;
                    default -> last;
                };
        return between(from, to, phase.part());
    }

    @Override
    public double momentum(int epoch, double current, double initial) {
        if (!cycleMomentum) {
            return current;
        }
        Phase phase = phase(epoch);
        return switch (phase.index()) {
            case 0 -> between(maxMomentum, baseMomentum, phase.part());
            case 1 -> between(baseMomentum, maxMomentum, phase.part());
            default -> maxMomentum;
        };
    }

    /** The position of a step in the cycle: a phase and its completed share. */
    private record Phase(int index, double part) {}

    private Phase phase(int epoch) {
        int step = Math.min(epoch, totalSteps - 1);
        double risen = pctStart * totalSteps - 1;
        double returned = 2 * pctStart * totalSteps - 2;
        double end = totalSteps - 1;
        if (step <= risen) {
            return new Phase(0, part(step, 0, risen));
        }
        if (threePhase && step <= returned) {
            return new Phase(1, part(step, risen, returned));
        }
        return threePhase
                ? new Phase(2, part(step, returned, end))
                : new Phase(1, part(step, risen, end));
    }

    /** A phase of length 0 ends at once. */
    private static double part(double step, double begin, double end) {
        return end == begin ? 1 : (step - begin) / (end - begin);
    }

    private double between(double from, double to, double part) {
        if (linear) {
            return (to - from) * part + from;
        }
        return to + (from - to) / 2 * (Math.cos(Math.PI * part) + 1);
    }
}
