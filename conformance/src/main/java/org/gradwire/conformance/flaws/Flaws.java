package org.gradwire.conformance.flaws;

import java.util.List;
import java.util.stream.Stream;

/** All broken backends that the kit knows. */
public final class Flaws {

    public static final List<Flaw> ALL =
            Stream.of(
                            SetupFlaws.ALL,
                            ReplyFlaws.ALL,
                            MessageFlaws.ALL,
                            CallbackFlaws.ALL,
                            LifeFlaws.ALL,
                            TrustFlaws.ALL,
                            ContentFlaws.ALL,
                            IdFlaws.ALL,
                            KeepingFlaws.ALL,
                            CallerFlaws.ALL,
                            LossFlaws.ALL,
                            LeakFlaws.ALL,
                            RecommendationFlaws.ALL)
                    .flatMap(List::stream)
                    .toList();

    private Flaws() {}
}
