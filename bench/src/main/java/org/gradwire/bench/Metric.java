package org.gradwire.bench;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * A metric: the same work on every system, and the kind of its report. Local metrics use one thread
 * and one process, the others a pair of processes.
 */
enum Metric {
    /** Call of the operator add on two 2x2 tensors. */
    SYNC_ADD("rpc.sync.add2x2", Kind.LATENCY, 0),
    /** Call of an empty function. */
    SYNC_NOOP("rpc.sync.noop", Kind.LATENCY, 0),
    /** Call of a function that returns its 2x2 tensor. */
    SYNC_ECHO("rpc.sync.echo2x2", Kind.LATENCY, 0),
    /** Call of an empty function while another thread echoes 8 MiB. */
    MIXED_NOOP("rpc.mixed.noop", Kind.TAIL, 8 << 20),
    /** Remote call of add, and a fetch of its result through the reference. */
    REMOTE_TO_HERE("rpc.remote.tohere.add2x2", Kind.LATENCY, 0),
    /** Calls of add with 64 in flight. */
    ASYNC_ADD("rpc.async64.add2x2", Kind.RATE, 1),
    /** Calls of the echo with 64 in flight. */
    ASYNC_ECHO("rpc.async64.echo2x2", Kind.RATE, 1),
    /** Heap bytes that a call allocates on each side. */
    ALLOC_NOOP("alloc.noop", Kind.BYTES, 0),
    ALLOC_ADD("alloc.add2x2", Kind.BYTES, 0),
    ALLOC_ECHO("alloc.echo2x2", Kind.BYTES, 0),
    ALLOC_ECHO_64_MIB("alloc.echo.65536KiB", Kind.BYTES, 64 << 20),
    ECHO_64_KIB("rpc.echo.64KiB", Kind.ECHO, 64 << 10),
    ECHO_1_MIB("rpc.echo.1024KiB", Kind.ECHO, 1 << 20),
    ECHO_8_MIB("rpc.echo.8192KiB", Kind.ECHO, 8 << 20),
    ECHO_64_MIB("rpc.echo.65536KiB", Kind.ECHO, 64 << 20),
    /** Distributed forward and backward of a 3x3 matmul on the other side. */
    DIST_MATMUL("dist.fwdbwd.matmul3x3", Kind.LATENCY, 0),
    /** Distributed forward and backward of four layers of 256x256 on the other side. */
    DIST_CHAIN("dist.chain4.256", Kind.LATENCY, 0),
    /** 1,000 sequential backward passes over the same graph of one remote add. */
    DIST_PASSES("dist.backward1000.add3x3", Kind.SHARE, 1000),
    /** Distributed forward and backward of a chain of 10 calls: the time for each. */
    DIST_CALLS_10("dist.calls10.add3x3", Kind.SHARE, 10),
    DIST_CALLS_100("dist.calls100.add3x3", Kind.SHARE, 100),
    DIST_CALLS_1000("dist.calls1000.add3x3", Kind.SHARE, 1000),
    LOCAL_MATMUL("local.fwdbwd.matmul3x3", Kind.LATENCY, 0),
    LOCAL_SGEMM_512("local.sgemm512", Kind.FLOPS, 2L * 512 * 512 * 512),
    LOCAL_SGEMM_1024("local.sgemm1024", Kind.FLOPS, 2L * 1024 * 1024 * 1024),
    LOCAL_ADD("local.add1M", Kind.LATENCY, 0),
    LOCAL_MUL("local.mul1M", Kind.LATENCY, 0),
    LOCAL_EXP("local.exp1M", Kind.LATENCY, 0),
    /** A training step of a perceptron 784-512-512-10 on a batch of 64. */
    LOCAL_MLP("local.mlpstep", Kind.LATENCY, 0),
    /** Forward of a 3x3 convolution, 64 to 64 channels, on 16 images of 28x28. */
    LOCAL_CONV("local.conv3x3.forward", Kind.LATENCY, 0),
    /** The same with the gradients of images, filters and bias. */
    LOCAL_CONV_BACKWARD("local.conv3x3.fwdbwd", Kind.LATENCY, 0),
    /**
     * Sums of 4,096 rows of 10,000 of length 64 in 512 bags, and the dense gradient of all rows.
     */
    LOCAL_EMBEDDING_BAG("local.embeddingbag", Kind.LATENCY, 0),
    /** Call of an empty function on another host. */
    NET_NOOP("net.sync.noop", Kind.LATENCY, 0),
    /** Call of the operator add on two 2x2 tensors on another host. */
    NET_ADD("net.sync.add2x2", Kind.LATENCY, 0),
    /** Echo of a tensor by another host. */
    NET_ECHO_8_MIB("net.echo.8MiB", Kind.LATENCY, 8 << 20),
    /** Calls of add, 10,000 in a second, that one thread starts without waiting. */
    PACED_ASYNC("paced.async1", Kind.LATENCY, 0),
    /** The same, of four threads that wait for each call. */
    PACED_SYNC("paced.sync4", Kind.LATENCY, 0),
    /** Sum of two tensors of 16 elements: what a call of an operator on a device takes. */
    DEVICE_LAUNCH("device.add16", Kind.SHARE, 1000),
    DEVICE_ADD("device.add64M", Kind.SHARE, 20),
    DEVICE_EXP("device.exp64M", Kind.SHARE, 20),
    DEVICE_SUM("device.sum64M", Kind.SHARE, 20),
    /** Softmax of 8,192 rows of 8,192. */
    DEVICE_SOFTMAX("device.softmax8192", Kind.SHARE, 20),
    /** Ten products of matrices. */
    DEVICE_SGEMM("device.sgemm4096", Kind.FLOPS, 10 * 2L * 4096 * 4096 * 4096),
    DEVICE_BFLOAT16_GEMM("device.bf16gemm8192", Kind.FLOPS, 10 * 2L * 8192 * 8192 * 8192),
    /** A training step of a perceptron 784-512-512-10 on a batch of 64. */
    DEVICE_SMALL_MLP("device.mlpsmall", Kind.SHARE, 50),
    /** A training step of a perceptron 1024-4096-4096-1000 on a batch of 4,096. */
    DEVICE_LARGE_MLP("device.mlplarge", Kind.SHARE, 5),
    /** A training step of a transformer's layer of 1,024 on 8 sequences of 512. */
    DEVICE_TRANSFORMER("device.transformer", Kind.SHARE, 5),
    /** A training step of a small network of convolutions, batch norms and pooling. */
    DEVICE_CONVOLUTIONS("device.convolutions", Kind.SHARE, 5),
    DEVICE_DROPOUT("device.dropout64M", Kind.SHARE, 20),
    /** Sort of 4,096 rows of 4,096. */
    DEVICE_SORT_ROWS("device.sort4096", Kind.SHARE, 5),
    /** Sort of one row. */
    DEVICE_SORT("device.sort16M", Kind.SHARE, 5),
    /** The 50 largest of 50,257, in each of 64 rows. */
    DEVICE_TOPK("device.topk50", Kind.SHARE, 20),
    /** Running sum of one row. */
    DEVICE_CUMSUM("device.cumsum16M", Kind.SHARE, 20),
    /**
     * Sums of 65,536 rows of 100,000 of length 128 in 4,096 bags, and the dense gradient of all
     * rows.
     */
    DEVICE_EMBEDDING_BAG("device.embeddingbag", Kind.SHARE, 20),
    /** Cross entropy of 21 classes of 4 x 512 x 512 pixels, and its gradient. */
    DEVICE_PIXEL_LOSS("device.pixelloss", Kind.SHARE, 20),
    /** Echo of a tensor of the host with 4 elements. */
    DEVICE_CALL("device.call", Kind.LATENCY, 0),
    /** Echo of a tensor on a device by a process that puts it on a device. */
    DEVICE_ECHO_1_MIB("device.echo.1MiB", Kind.ECHO, 1 << 20),
    DEVICE_ECHO_8_MIB("device.echo.8MiB", Kind.ECHO, 8 << 20),
    DEVICE_ECHO_256_MIB("device.echo.256MiB", Kind.ECHO, 256 << 20),
    /** Sum of a tensor of each member, on all of them. */
    ALL_REDUCE_4_B("collective.allreduce.4B", Kind.LATENCY, 4),
    ALL_REDUCE_64_KIB("collective.allreduce.64KiB", Kind.LATENCY, 64 << 10),
    ALL_REDUCE_1_MIB("collective.allreduce.1MiB", Kind.LATENCY, 1 << 20),
    ALL_REDUCE_16_MIB("collective.allreduce.16MiB", Kind.LATENCY, 16 << 20),
    ALL_REDUCE_256_MIB("collective.allreduce.256MiB", Kind.LATENCY, 256 << 20),
    /** The tensor of another member, seen by one that receives it. */
    BROADCAST_64_KIB("collective.broadcast.64KiB", Kind.LATENCY, 64 << 10),
    BROADCAST_1_MIB("collective.broadcast.1MiB", Kind.LATENCY, 1 << 20),
    /** The tensors of all members, each of this size, on all of them. */
    ALL_GATHER_64_KIB("collective.allgather.64KiB", Kind.LATENCY, 64 << 10),
    ALL_GATHER_1_MIB("collective.allgather.1MiB", Kind.LATENCY, 1 << 20),
    /** Equal parts from each member to each, those of one member of this size together. */
    ALL_TO_ALL_64_KIB("collective.alltoall.64KiB", Kind.LATENCY, 64 << 10),
    ALL_TO_ALL_1_MIB("collective.alltoall.1MiB", Kind.LATENCY, 1 << 20),
    BARRIER("collective.barrier", Kind.LATENCY, 0),
    /** A training step of replicas of the perceptron. */
    DDP_STEP("collective.ddp.mlpstep", Kind.LATENCY, 0),
    /** Call of add on two 2x2 tensors by rank 0 on rank 1, while the members do nothing else. */
    CALL_ALONE("collective.call.alone", Kind.LATENCY, 0),
    /** The same call while a thread of each member adds two tensors, again and again. */
    CALL_DURING_ADD("collective.call.during.add.256MiB", Kind.LATENCY, 256 << 20),
    /** The same call while all members repeat an all-reduce without a pause. */
    CALL_DURING_ALL_REDUCE("collective.call.during.allreduce.256MiB", Kind.LATENCY, 256 << 20),
    /** An operator on one thread; the package {@code local} has its operands. */
    OPERATOR_ADD_FLOAT64("operator.add.float64"),
    OPERATOR_ADD_FLOAT64_FWDBWD("operator.add.float64.fwdbwd"),
    OPERATOR_MUL_FLOAT64("operator.mul.float64"),
    OPERATOR_MUL_FLOAT64_FWDBWD("operator.mul.float64.fwdbwd"),
    OPERATOR_DIV_FLOAT64("operator.div.float64"),
    OPERATOR_DIV_FLOAT64_FWDBWD("operator.div.float64.fwdbwd"),
    OPERATOR_ADD_INT64("operator.add.int64"),
    OPERATOR_MUL_INT64("operator.mul.int64"),
    OPERATOR_ADD_ROW("operator.add.row"),
    OPERATOR_ADD_ROW_FWDBWD("operator.add.row.fwdbwd"),
    OPERATOR_ADD_COLUMN("operator.add.column"),
    OPERATOR_ADD_COLUMN_FWDBWD("operator.add.column.fwdbwd"),
    OPERATOR_POW3("operator.pow3"),
    OPERATOR_POW3_FWDBWD("operator.pow3.fwdbwd"),
    OPERATOR_REMAINDER("operator.remainder"),
    OPERATOR_FMOD("operator.fmod"),
    OPERATOR_WHERE("operator.where"),
    OPERATOR_WHERE_FWDBWD("operator.where.fwdbwd"),
    OPERATOR_TRANSPOSE("operator.transpose"),
    OPERATOR_TRANSPOSE_FWDBWD("operator.transpose.fwdbwd"),
    OPERATOR_PERMUTE("operator.permute"),
    OPERATOR_PERMUTE_FWDBWD("operator.permute.fwdbwd"),
    OPERATOR_CAT_FIRST("operator.cat.first"),
    OPERATOR_CAT_FIRST_FWDBWD("operator.cat.first.fwdbwd"),
    OPERATOR_CAT_LAST("operator.cat.last"),
    OPERATOR_CAT_LAST_FWDBWD("operator.cat.last.fwdbwd"),
    OPERATOR_GATHER_LAST("operator.gather.last"),
    OPERATOR_GATHER_LAST_FWDBWD("operator.gather.last.fwdbwd"),
    OPERATOR_GATHER_FIRST("operator.gather.first"),
    OPERATOR_GATHER_FIRST_FWDBWD("operator.gather.first.fwdbwd"),
    OPERATOR_INDEXSELECT("operator.indexselect"),
    OPERATOR_INDEXSELECT_FWDBWD("operator.indexselect.fwdbwd"),
    OPERATOR_SCATTERADD("operator.scatteradd"),
    OPERATOR_SCATTERADD_FWDBWD("operator.scatteradd.fwdbwd"),
    OPERATOR_EMBEDDING("operator.embedding"),
    OPERATOR_EMBEDDING_FWDBWD("operator.embedding.fwdbwd"),
    OPERATOR_SOFTMAX_LAST("operator.softmax.last"),
    OPERATOR_SOFTMAX_LAST_FWDBWD("operator.softmax.last.fwdbwd"),
    OPERATOR_SOFTMAX_FIRST("operator.softmax.first"),
    OPERATOR_SOFTMAX_FIRST_FWDBWD("operator.softmax.first.fwdbwd"),
    OPERATOR_LOGSOFTMAX("operator.logsoftmax"),
    OPERATOR_LOGSOFTMAX_FWDBWD("operator.logsoftmax.fwdbwd"),
    OPERATOR_LAYERNORM("operator.layernorm"),
    OPERATOR_LAYERNORM_FWDBWD("operator.layernorm.fwdbwd"),
    OPERATOR_SUM_LAST("operator.sum.last"),
    OPERATOR_SUM_LAST_FWDBWD("operator.sum.last.fwdbwd"),
    OPERATOR_SUM_FIRST("operator.sum.first"),
    OPERATOR_SUM_FIRST_FWDBWD("operator.sum.first.fwdbwd"),
    OPERATOR_SUM_MIDDLE("operator.sum.middle"),
    OPERATOR_SUM_MIDDLE_FWDBWD("operator.sum.middle.fwdbwd"),
    OPERATOR_MEAN_LAST("operator.mean.last"),
    OPERATOR_MEAN_LAST_FWDBWD("operator.mean.last.fwdbwd"),
    OPERATOR_MEAN_FIRST("operator.mean.first"),
    OPERATOR_MEAN_FIRST_FWDBWD("operator.mean.first.fwdbwd"),
    OPERATOR_MEAN_MIDDLE("operator.mean.middle"),
    OPERATOR_MEAN_MIDDLE_FWDBWD("operator.mean.middle.fwdbwd"),
    OPERATOR_MAX_LAST("operator.max.last"),
    OPERATOR_MAX_LAST_FWDBWD("operator.max.last.fwdbwd"),
    OPERATOR_MAX_FIRST("operator.max.first"),
    OPERATOR_MAX_FIRST_FWDBWD("operator.max.first.fwdbwd"),
    OPERATOR_MAX_MIDDLE("operator.max.middle"),
    OPERATOR_MAX_MIDDLE_FWDBWD("operator.max.middle.fwdbwd"),
    OPERATOR_ARGMAX_LAST("operator.argmax.last"),
    OPERATOR_ARGMAX_FIRST("operator.argmax.first"),
    OPERATOR_ARGMAX_MIDDLE("operator.argmax.middle"),
    OPERATOR_CUMSUM_LAST("operator.cumsum.last"),
    OPERATOR_CUMSUM_LAST_FWDBWD("operator.cumsum.last.fwdbwd"),
    OPERATOR_CUMSUM_FIRST("operator.cumsum.first"),
    OPERATOR_CUMSUM_FIRST_FWDBWD("operator.cumsum.first.fwdbwd"),
    OPERATOR_MATMUL_INT64("operator.matmul.int64"),
    OPERATOR_BMM("operator.bmm"),
    OPERATOR_BMM_FWDBWD("operator.bmm.fwdbwd"),
    OPERATOR_LSTM("operator.lstm"),
    OPERATOR_LSTM_FWDBWD("operator.lstm.fwdbwd"),
    OPERATOR_ATTENTION("operator.attention"),
    OPERATOR_ATTENTION_FWDBWD("operator.attention.fwdbwd"),
    OPERATOR_CONV1X1("operator.conv1x1"),
    OPERATOR_CONV1X1_FWDBWD("operator.conv1x1.fwdbwd"),
    OPERATOR_CONV3X3_STRIDE2("operator.conv3x3.stride2"),
    OPERATOR_CONV3X3_STRIDE2_FWDBWD("operator.conv3x3.stride2.fwdbwd"),
    OPERATOR_CONV3X3_DEPTHWISE("operator.conv3x3.depthwise"),
    OPERATOR_CONV3X3_DEPTHWISE_FWDBWD("operator.conv3x3.depthwise.fwdbwd"),
    OPERATOR_MAXPOOL("operator.maxpool"),
    OPERATOR_MAXPOOL_FWDBWD("operator.maxpool.fwdbwd");

    /** The kind of a report. */
    enum Kind {
        LATENCY,
        /** As latency, with the 99.9th percentile. */
        TAIL,
        /** As latency, of each of many equal parts. */
        SHARE,
        RATE,
        /** Not a time: bytes of the caller as the median, of the callee as the tail. */
        BYTES,
        ECHO,
        FLOPS
    }

    private final String label;
    private final Kind kind;
    private final long work;

    /**
     * Define a metric.
     *
     * @param work the work of one unit of time: bytes one way or of a tensor, floating-point
     *     operations, or parts
     */
    Metric(String label, Kind kind, long work) {
        this.label = label;
        this.kind = kind;
        this.work = work;
    }

    /** Define a metric that reports its latency. */
    Metric(String label) {
        this(label, Kind.LATENCY, 0);
    }

    String label() {
        return label;
    }

    Kind kind() {
        return kind;
    }

    /** {@return the bytes of a tensor, the floating-point operations, or the parts} */
    long work() {
        return work;
    }

    /** {@return whether a unit of work takes a few milliseconds and is reported with its tail} */
    boolean takesMillis() {
        return switch (this) {
            case DIST_CHAIN,
                    DIST_CALLS_10,
                    DIST_CALLS_100,
                    DIST_CALLS_1000,
                    LOCAL_MLP,
                    LOCAL_CONV,
                    LOCAL_CONV_BACKWARD,
                    NET_ECHO_8_MIB,
                    DDP_STEP,
                    ALL_REDUCE_16_MIB,
                    ALL_REDUCE_256_MIB,
                    CALL_DURING_ADD,
                    CALL_DURING_ALL_REDUCE ->
                    true;
            default -> false;
        };
    }

    boolean isLocal() {
        return label.startsWith("local.");
    }

    /** {@return the mode that measures this metric; the gate measures some of the comparison's} */
    Mode mode() {
        return switch (label.substring(0, label.indexOf('.'))) {
            case "paced" -> Mode.PACED;
            case "net" -> Mode.NETWORK;
            case "collective" -> Mode.COLLECTIVES;
            case "operator" -> Mode.LOCAL;
            case "device" -> Mode.DEVICE;
            default -> Mode.COMPARISON;
        };
    }

    static Optional<Metric> labelled(String label) {
        return Arrays.stream(values()).filter(metric -> metric.label.equals(label)).findFirst();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
