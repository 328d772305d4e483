package org.gradwire.spi.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.scheduler.Assignment.Part;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/** The variables of each scheduler, and the assignments that follow from them. */
class AssignmentTest {
    private static final Set<Part> ALL = EnumSet.allOf(Part.class);

    private static Map<String, String> environment(String variables) {
        return Arrays.stream(variables.split(" +"))
                .filter(text -> !text.isEmpty())
                .map(text -> text.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    }

    private static String refusal(String variables) {
        return String.valueOf(
                assertThrows(
                                RpcConfigurationException.class,
                                () -> Assignment.find(environment(variables), ALL))
                        .getMessage());
    }

    /** Scheduler, rank, size, port and host follow the variables. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    RANK=3 WORLD_SIZE=8 MASTER_ADDR=a.example MASTER_PORT=29400                                   | torchrun | 3 | 8 | tcp://a.example:29400
                    RANK=0 WORLD_SIZE=8 MASTER_ADDR=a.example MASTER_PORT=29400                                   | torchrun | 0 | 8 | tcp://0.0.0.0:29400
                    RANK=0 WORLD_SIZE=8 MASTER_ADDR=localhost MASTER_PORT=29400                                   | torchrun | 0 | 8 | tcp://localhost:29400
                    RANK=1 WORLD_SIZE=8 MASTER_ADDR=fd00::1 MASTER_PORT=29400                                     | torchrun | 1 | 8 | tcp://[fd00::1]:29400
                    RANK=1 LOCAL_RANK=1 WORLD_SIZE=4 LOCAL_WORLD_SIZE=4 MASTER_ADDR=a MASTER_PORT=1               | torchrun | 1 | 4 | tcp://127.0.0.1:1
                    RANK=1 WORLD_SIZE=4 LOCAL_WORLD_SIZE=2 MASTER_ADDR=a MASTER_PORT=1                            | torchrun | 1 | 4 | tcp://a:1
                    RANK=1 WORLD_SIZE=4 MASTER_ADDR=a MASTER_PORT=29400 TORCHELASTIC_USE_AGENT_STORE=True         | torchrun | 1 | 4 | tcp://a:29401
                    RANK=1 WORLD_SIZE=4 MASTER_ADDR=a MASTER_PORT=29400 TORCHELASTIC_USE_AGENT_STORE=False        | torchrun | 1 | 4 | tcp://a:29400
                    RANK=1 LOCAL_RANK=1 WORLD_SIZE=4 MASTER_ADDR=a MASTER_PORT=9 PET_NODE_RANK=0 PET_NNODES=2 PET_MASTER_ADDR=b PET_MASTER_PORT=8 | torchrun | 1 | 4 | tcp://a:9
                    PET_NODE_RANK=1 PET_NNODES=2 PET_NPROC_PER_NODE=auto PET_MASTER_ADDR=job-node-0-0.job PET_MASTER_PORT=29500 JOB_COMPLETION_INDEX=1 | Kubeflow Trainer | 1 | 2 | tcp://job-node-0-0.job:29500
                    OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_LOCAL_SIZE=4 PMIX_RANK=2 PMIX_NAMESPACE=126484481 | Open MPI | 2 | 4 | tcp://127.0.0.1:28466
                    OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_LOCAL_SIZE=2 PMIX_NAMESPACE=126484481 MASTER_ADDR=a | Open MPI | 2 | 4 | tcp://a:28466
                    OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_LOCAL_SIZE=2 MASTER_ADDR=a MASTER_PORT=7 | Open MPI | 2 | 4 | tcp://a:7
                    OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=3 OMPI_COMM_WORLD_LOCAL_SIZE=3 MASTER_PORT=7 SLURM_PROCID=0 SLURM_NTASKS=4 SLURM_JOB_ID=3 SLURM_JOB_NODELIST=vm | Open MPI | 1 | 3 | tcp://127.0.0.1:7
                    SLURM_PROCID=5 SLURM_NTASKS=8 SLURM_JOB_ID=200505 SLURM_STEP_ID=0 SLURM_STEP_NODELIST=gnode[10,20-25] SLURM_JOB_NODELIST=gnode[01-25] | Slurm | 5 | 8 | tcp://gnode10:28585
                    SLURM_PROCID=5 SLURM_NTASKS=8 SLURM_JOB_ID=200505 SLURM_STEP_ID=3 SLURM_JOB_NODELIST=a[01-03]b,c | Slurm | 5 | 8 | tcp://a01b:28588
                    SLURM_PROCID=0 SLURM_NTASKS=8 SLURM_JOB_ID=200505 SLURM_STEP_ID=3 SLURM_JOB_NODELIST=a[01-03]b,c | Slurm | 0 | 8 | tcp://0.0.0.0:28588
                    SLURM_PROCID=5 SLURM_NTASKS=8 SLURM_JOB_ID=200505 SLURM_STEP_ID=3 SLURM_JOB_NODELIST=a1 | Slurm | 5 | 8 | tcp://127.0.0.1:28588
                    SLURM_PROCID=5 SLURM_NTASKS=8 SLURM_JOB_ID=200505 SLURM_STEP_ID=3 SLURM_JOB_NODELIST=a[1-2] MASTER_ADDR=x MASTER_PORT=7 | Slurm | 5 | 8 | tcp://x:7
                    SLURM_PROCID=0 SLURM_NTASKS=1 SLURM_JOB_ID=1 SLURM_JOB_NODELIST=a1 | Slurm | 0 | 1 | tcp://127.0.0.1:20017
                    SLURM_PROCID=1 SLURM_NTASKS=2 SLURM_JOB_ID=1 SLURM_STEP_ID=0 SLURM_JOB_NODELIST=a1 PMIX_RANK=1 PMIX_NAMESPACE=slurm.pmix.1.0 | Slurm | 1 | 2 | tcp://127.0.0.1:20017
                    SLURM_PROCID=1 SLURM_NTASKS=2 SLURM_JOB_ID=1 SLURM_STEP_ID=0 SLURM_JOB_NODELIST=a1 MASTER_ADDR=x WORLD_SIZE=2 | Slurm | 1 | 2 | tcp://127.0.0.1:20017
                    PMIX_RANK=1 PMIX_NAMESPACE=126484481 WORLD_SIZE=2 MASTER_ADDR=a | PMIx | 1 | 2 | tcp://a:28466
                    LWS_LEADER_ADDRESS=lws-0.lws.ns LWS_GROUP_SIZE=4 LWS_WORKER_INDEX=3 | LeaderWorkerSet | 3 | 4 | tcp://lws-0.lws.ns:29500
                    LWS_LEADER_ADDRESS=lws-0.lws.ns LWS_GROUP_SIZE=4 LWS_WORKER_INDEX=0 MASTER_PORT=7 | LeaderWorkerSet | 0 | 4 | tcp://0.0.0.0:7
                    JOB_COMPLETION_INDEX=3 WORLD_SIZE=4 MASTER_ADDR=train-0.train | Kubernetes Job | 3 | 4 | tcp://train-0.train:29500
                    JOB_COMPLETION_INDEX=3 WORLD_SIZE=4 MASTER_ADDR=train-0.train RANK= | Kubernetes Job | 3 | 4 | tcp://train-0.train:29500
                    """)
    void completeVariablesAreRead(
            String variables, String scheduler, int rank, int size, String rendezvous) {
        assertEquals(
                Optional.of(
                        new Assignment(
                                scheduler, rank, OptionalInt.of(size), Optional.of(rendezvous))),
                Assignment.find(environment(variables), ALL));
    }

    /** Only the rank is required when the rest is known from elsewhere. */
    @ParameterizedTest
    @CsvSource({
        "JOB_COMPLETION_INDEX=3, Kubernetes Job",
        "PMIX_RANK=3, PMIx",
        "OMPI_COMM_WORLD_RANK=3, Open MPI",
        "RANK=3, torchrun",
        "SLURM_PROCID=3, Slurm"
    })
    void knownPartsAreNotRequired(String variables, String scheduler) {
        assertEquals(
                Optional.of(new Assignment(scheduler, 3, OptionalInt.empty(), Optional.empty())),
                Assignment.find(environment(variables), EnumSet.noneOf(Part.class)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    RANK=3 WORLD_SIZE=8                                     | torchrun set RANK=3, WORLD_SIZE=8, but not MASTER_ADDR, MASTER_PORT
                    RANK=3 MASTER_ADDR=a MASTER_PORT=1                      | torchrun set RANK=3, MASTER_ADDR=a, MASTER_PORT=1, but not WORLD_SIZE
                    RANK=x WORLD_SIZE=8                                     | torchrun set RANK=x, WORLD_SIZE=8 (RANK=x must be an integer from 0 to 32766), but not MASTER_ADDR, MASTER_PORT
                    PET_NNODES=2                                            | Kubeflow Trainer set PET_NNODES=2, but not PET_NODE_RANK, PET_MASTER_ADDR, PET_MASTER_PORT
                    OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_LOCAL_SIZE=2 PMIX_NAMESPACE=1 | Open MPI set OMPI_COMM_WORLD_RANK=2, OMPI_COMM_WORLD_SIZE=4, OMPI_COMM_WORLD_LOCAL_SIZE=2, PMIX_NAMESPACE=1, but not MASTER_ADDR (the host of rank 0, which Open MPI does not name)
                    OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_LOCAL_SIZE=4 | but not MASTER_PORT
                    SLURM_PROCID=0 SLURM_NTASKS=4 SLURM_JOB_ID=3 SLURM_JOB_NODELIST=vm | Slurm set SLURM_PROCID=0, SLURM_NTASKS=4, SLURM_JOB_ID=3, SLURM_JOB_NODELIST=vm, but not SLURM_STEP_ID (start the workers with srun)
                    SLURM_JOB_ID=3 SLURM_JOB_NODELIST=vm                    | Slurm set SLURM_JOB_ID=3, SLURM_JOB_NODELIST=vm, but not SLURM_PROCID, SLURM_NTASKS
                    SLURM_PROCID=1 SLURM_NTASKS=4 SLURM_STEP_ID=1           | but not SLURM_STEP_NODELIST, SLURM_JOB_ID
                    PMIX_RANK=1 PMIX_NAMESPACE=1                            | PMIx set PMIX_RANK=1, PMIX_NAMESPACE=1, but not WORLD_SIZE, MASTER_ADDR (the host of rank 0, which PMIx does not name)
                    LWS_LEADER_ADDRESS=a LWS_GROUP_SIZE=4                   | LeaderWorkerSet set LWS_GROUP_SIZE=4, LWS_LEADER_ADDRESS=a, but not LWS_WORKER_INDEX
                    JOB_COMPLETION_INDEX=1                                  | Kubernetes Job set JOB_COMPLETION_INDEX=1, but not WORLD_SIZE, MASTER_ADDR
                    MASTER_ADDR=tcp://user:secret@host RANK=1               | MASTER_ADDR=tcp://***@host
                    """)
    void incompleteVariablesAreListed(String variables, String listed) {
        String text = refusal(variables);
        assertTrue(text.contains(listed), text);
        assertTrue(text.contains("docs/schedulers.md"), text);
    }

    @Test
    void allIncompleteSchedulersAreListed() {
        String text = refusal("RANK=1 SLURM_PROCID=1 JOB_COMPLETION_INDEX=1");
        assertTrue(
                text.startsWith(
                        "the rank of this worker is not set, and no scheduler assigned one completely: torchrun set RANK=1, but not WORLD_SIZE, MASTER_ADDR, MASTER_PORT; Slurm set SLURM_PROCID=1, but not"),
                text);
        assertTrue(text.contains("; Kubernetes Job set JOB_COMPLETION_INDEX=1, but not"), text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    RANK=-1 WORLD_SIZE=8 MASTER_ADDR=a MASTER_PORT=1      | torchrun set an invalid value: RANK=-1 must be an integer from 0 to 32766; it set RANK=-1, WORLD_SIZE=8
                    RANK=8 WORLD_SIZE=8 MASTER_ADDR=a MASTER_PORT=1       | the rank 8 must be below the number of processes, 8
                    RANK=0 WORLD_SIZE=0 MASTER_ADDR=a MASTER_PORT=1       | WORLD_SIZE=0 must be an integer from 1 to 32767
                    RANK=0 WORLD_SIZE=1 MASTER_ADDR=a MASTER_PORT=tcp://10.0.0.1:2 | MASTER_PORT=tcp://10.0.0.1:2 must be an integer from 1 to 65535
                    RANK=0 WORLD_SIZE=1 MASTER_ADDR=a MASTER_PORT=65535 TORCHELASTIC_USE_AGENT_STORE=True | must be an integer from 1 to 65535
                    PET_NODE_RANK=0 PET_NNODES=1:4 PET_MASTER_ADDR=a PET_MASTER_PORT=1 | PET_NNODES=1:4 must be an integer from 1 to 32767
                    SLURM_PROCID=0 SLURM_NTASKS=2 SLURM_JOB_ID=1 SLURM_STEP_ID=0 SLURM_JOB_NODELIST=a[1-,2] MASTER_ADDR=a | SLURM_JOB_NODELIST=a[1-,2] is not a list of hosts, such as a1,b[01-03,7]
                    """)
    void invalidValuesAreRefused(String variables, String problem) {
        String text = refusal(variables);
        assertTrue(text.contains(problem), text);
    }

    @Test
    void otherVariablesAreNone() {
        assertEquals(
                Optional.empty(), Assignment.find(Map.of("HOME", "/root", "PATH", "/bin"), ALL));
    }
}
