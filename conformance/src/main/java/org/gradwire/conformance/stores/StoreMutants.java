package org.gradwire.conformance.stores;

import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.spi.Lease;
import org.gradwire.spi.Store;
import org.gradwire.spi.store.StoreContext;
import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** All mutants of stores: one or more for each rule. */
public final class StoreMutants {
    private static final Duration PAUSE = Duration.ofMillis(1);

    public static final List<StoreMutant> ALL =
            List.of(
                    StoreMutant.of("TRIMS_KEYS", "STORE-1", StoreMutants::trimmed),
                    StoreMutant.of("KEEPS_ARRAYS_AS_TEXT", "STORE-1", StoreMutants::text),
                    StoreMutant.of("DOES_NOT_WAIT", "STORE-2", StoreMutants::impatient),
                    StoreMutant.of("ADDS_IN_TWO_STEPS", "STORE-3", StoreMutants::addsInTwoSteps),
                    StoreMutant.of("COMPARES_FIRST", "STORE-4", StoreMutants::comparesFirst),
                    StoreMutant.of("WATCHES_FROM_NOW", "STORE-5", StoreMutants::watchesFromNow),
                    StoreMutant.of("DOES_NOT_RENEW", "STORE-6", StoreMutants::doesNotRenew),
                    StoreMutant.of("SHARES_LEASES", "STORE-6", StoreMutants::sharesLeases),
                    StoreMutant.of("LEASES_FOREVER", "STORE-7", StoreMutants::leasesForever),
                    StoreMutant.of("RELEASES_LATE", "STORE-8", StoreMutants::releasesLate),
                    StoreMutant.of("TRUNCATES_VALUES", "STORE-9", StoreMutants::truncates),
                    StoreMutant.of("CLOSES_LATE", "STORE-10", StoreMutants::closesLate),
                    StoreMutant.of("IGNORES_INTERRUPTS", "STORE-11", StoreMutants::uninterrupted),
                    new StoreMutant(
                            "REPAIRS_ADDRESSES",
                            "STORE-12",
                            correct ->
                                    new StoreMutant.Wrapped(correct) {
                                        @Override
                                        public Store open(StoreContext context) {
                                            return correct.open(repaired(context));
                                        }
                                    }));

    private StoreMutants() {}

    private static StoreContext repaired(StoreContext context) {
        String address = context.address().replaceFirst(":(//)?$", "://repaired");
        return new StoreContext(
                address,
                context.self(),
                context.worldSize(),
                context.settings(),
                context.timeout());
    }

    private static Store trimmed(Store correct) {
        return new DelegatingStore(correct) {
            @Override
            public void set(String key, byte[] value) {
                super.set(key.trim(), value);
            }

            @Override
            public byte[] get(String key, Duration timeout) {
                return super.get(key.trim(), timeout);
            }
        };
    }

    private static Store text(Store correct) {
        return new DelegatingStore(correct) {
            @Override
            public void set(String key, byte[] value) {
                String text = new String(value, StandardCharsets.UTF_8);
                super.set(key, Arrays.copyOf(text.getBytes(StandardCharsets.UTF_8), value.length));
            }
        };
    }

    private static Store impatient(Store correct) {
        return new DelegatingStore(correct) {
            @Override
            public byte[] get(String key, Duration timeout) {
                return super.get(key, Duration.ZERO);
            }
        };
    }

    private static Store addsInTwoSteps(Store correct) {
        return new DelegatingStore(correct) {
            @Override
            public long add(String key, long amount) {
                long sum = super.add(key, 0) + amount;
                pause();
                super.set(key, Long.toString(sum).getBytes(StandardCharsets.US_ASCII));
                return sum;
            }
        };
    }

    private static Store comparesFirst(Store correct) {
        return new DelegatingStore(correct) {
            @Override
            public boolean compareAndSet(String key, byte @Nullable [] expected, byte[] value) {
                boolean matches = Arrays.equals(expected, find(correct, key));
                pause();
                if (matches) {
                    super.set(key, value);
                }
                return matches;
            }
        };
    }

    private static byte @Nullable [] find(Store store, String key) {
        try {
            return store.get(key, Duration.ZERO);
        } catch (RpcTimeoutException _) {
            return null;
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static Store watchesFromNow(Store correct) {
        return new DelegatingStore(correct) {
            @Override
            public byte @Nullable [] watch(String key, byte @Nullable [] seen, Duration timeout) {
                return super.watch(key, find(correct, key), timeout);
            }
        };
    }

    private static Store doesNotRenew(Store correct) {
        return new DelegatingStore(correct) {
            @Override
            public Optional<Lease> acquire(String key, byte[] value, Duration timeToLive) {
                Optional<Lease> lease = super.acquire(key, value, timeToLive);
                lease.ifPresent(Lease::abandon);
                return lease;
            }
        };
    }

    private static Store sharesLeases(Store correct) {
        return new DelegatingStore(correct) {
            @Override
            public Optional<Lease> acquire(String key, byte[] value, Duration timeToLive) {
                Optional<Lease> lease = super.acquire(key, value, timeToLive);
                return lease.isPresent() ? lease : super.acquire(key + "'", value, timeToLive);
            }
        };
    }

    private static Store leasesForever(Store correct) {
        return new DelegatingStore(correct) {
            @Override
            public Optional<Lease> acquire(String key, byte[] value, Duration timeToLive) {
                return super.acquire(key, value, Store.MAX_LEASE);
            }
        };
    }

    /** A lease that ends at the end of its time to live only. */
    private record LateLease(Lease lease) implements Lease {
        @Override
        public String key() {
            return lease.key();
        }

        @Override
        public boolean isHeld() {
            return lease.isHeld();
        }

        @Override
        public void abandon() {
            lease.abandon();
        }

        @Override
        public void close() {
            lease.abandon();
        }
    }

    private static Store releasesLate(Store correct) {
        return new DelegatingStore(correct) {
            @Override
            public Optional<Lease> acquire(String key, byte[] value, Duration timeToLive) {
                return super.acquire(key, value, timeToLive).map(LateLease::new);
            }
        };
    }

    private static Store truncates(Store correct) {
        return new DelegatingStore(correct) {
            @Override
            public void set(String key, byte[] value) {
                super.set(key, Arrays.copyOf(value, Math.min(value.length, MAX_VALUE_BYTES)));
            }
        };
    }

    private static Store closesLate(Store correct) {
        return new DelegatingStore(correct) {
            @Override
            public void close() {
                CompletableFuture.delayedExecutor(5, TimeUnit.SECONDS, Thread::startVirtualThread)
                        .execute(correct::close);
            }
        };
    }

    private static Store uninterrupted(Store correct) {
        return new DelegatingStore(correct) {
            @Override
            public byte[] get(String key, Duration timeout) {
                var _ = Thread.interrupted();
                return super.get(key, timeout);
            }
        };
    }
}
