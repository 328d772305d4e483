package org.gradwire.conformance.mutants;

import java.util.List;
import java.util.stream.Stream;

/** All mutants of the kit. */
public final class Mutants {

    public static final List<Mutant> ALL =
            Stream.of(
                            SetupMutants.ALL,
                            ReplyMutants.ALL,
                            MessageMutants.ALL,
                            CallbackMutants.ALL,
                            LifeMutants.ALL,
                            TrustMutants.ALL,
                            AuthorizationMutants.ALL,
                            CertificateMutants.ALL,
                            ContentMutants.ALL,
                            IdMutants.ALL,
                            KeepingMutants.ALL,
                            CallerMutants.ALL,
                            CollectiveMutants.ALL,
                            LentThreadMutants.ALL,
                            LossMutants.ALL,
                            LeakMutants.ALL,
                            RecommendationMutants.ALL)
                    .flatMap(List::stream)
                    .toList();

    private Mutants() {}
}
