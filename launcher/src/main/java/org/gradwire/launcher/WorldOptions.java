package org.gradwire.launcher;

import org.gradwire.launcher.restart.WorkerRange;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

import java.util.Optional;

/** The options for the workers to start and for their rendezvous. */
final class WorldOptions {
    private static final int DEFAULT_WORKERS = 2;

    @Option(
            names = {"-n", "--workers"},
            paramLabel = "N",
            converter = RangeConverter.class,
            description =
                    "Workers to start here, or MIN..MAX: start MAX, and continue with MIN when workers have failed."
                            + " Default: the program's number, else 2.")
    private Optional<WorkerRange> workers = Optional.empty();

    @Option(
            names = "--name-prefix",
            paramLabel = "TEXT",
            defaultValue = "worker",
            description = "A worker's name is this and its rank. Default: ${DEFAULT-VALUE}.")
    private String namePrefix = "worker";

    @Option(
            names = "--rendezvous",
            paramLabel = "URI",
            description =
                    "Where the workers meet: tcp://HOST:PORT, which rank 0 serves,"
                            + " etcd://HOST:PORT[,HOST:PORT...]/JOB, or file:///PATH. Default: a"
                            + " file that only this user can open.")
    private Optional<String> rendezvous = Optional.empty();

    @Option(
            names = "--join",
            paramLabel = "HOST:PORT",
            description =
                    "Join the group with this rendezvous, with --rank-offset and --world-size.")
    private Optional<String> join = Optional.empty();

    @Option(
            names = "--rank-offset",
            paramLabel = "N",
            defaultValue = "0",
            description = "Rank of the first worker started here. Default: ${DEFAULT-VALUE}.")
    private int rankOffset;

    @Option(
            names = "--world-size",
            paramLabel = "M",
            description = "Workers on all machines together. Default: those started here.")
    private Optional<Integer> worldSize = Optional.empty();

    @Option(
            names = "--scheduler",
            description =
                    "Start workers as a task of Slurm, Open MPI or torchrun, or in a pod, each with"
                            + " one launcher: the scheduler's variables determine their ranks and"
                            + " the rendezvous.")
    private boolean scheduler;

    /** Validate the options; {@return the workers for a program} */
    World world(Program program) {
        int here = range(program).most();
        int everywhere = worldSize.orElse(here);
        if (scheduler) {
            refuseOwnPlace();
            return SchedulerWorld.of(here, namePrefix, System.getenv());
        }
        if (join.isPresent()) {
            return joined(here);
        }
        if (everywhere != here && rendezvous.isEmpty()) {
            throw new LauncherException(
                    "--world-size %d is more than the %d workers started here: add --rendezvous"
                                    .formatted(everywhere, here)
                            + " tcp://HOST:PORT, so that the others know where to --join");
        }
        return new World(here, rankOffset, everywhere, namePrefix, rendezvous.map(Rendezvous::of));
    }

    /**
     * Validate the options of a part of a group; {@return its workers}
     *
     * @param groupRendezvous of the group, unless it is all here
     */
    World world(Program program, String groupRendezvous) {
        int here = range(program).most();
        int everywhere = worldSize.orElse(here);
        return new World(
                here,
                rankOffset,
                everywhere,
                namePrefix,
                here == everywhere ? Optional.empty() : Optional.of(groupRendezvous));
    }

    /** {@return the number of workers for a program, and that with which it may continue} */
    WorkerRange range(Program program) {
        return workers.or(() -> program.workers().map(WorkerRange::of))
                .orElse(WorkerRange.of(DEFAULT_WORKERS));
    }

    /** {@return whether another launcher has the rendezvous} */
    boolean joins() {
        return join.isPresent();
    }

    private void refuseOwnPlace() {
        if (join.isPresent()
                || rendezvous.isPresent()
                || worldSize.isPresent()
                || rankOffset != 0) {
            throw new LauncherException(
                    "--scheduler determines what --rendezvous, --join, --rank-offset and --world-size set: leave them out");
        }
    }

    private World joined(int here) {
        if (worldSize.isEmpty() || rendezvous.isPresent() || rankOffset == 0) {
            throw new LauncherException(
                    "--join needs --rank-offset N (from 1) and --world-size M, and no --rendezvous");
        }
        return new World(here, rankOffset, worldSize.get(), namePrefix, join.map(Rendezvous::join));
    }

    /** Reads a number of workers, or the least and the most. */
    static final class RangeConverter implements ITypeConverter<WorkerRange> {

        @Override
        public WorkerRange convert(String text) {
            try {
                return WorkerRange.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
