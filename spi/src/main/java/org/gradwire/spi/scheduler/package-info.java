/**
 * The environment variables of schedulers: Slurm, Open MPI, torchrun, Kubernetes and others.
 *
 * <p>A scheduler assigns each process of a group a rank, and most name the number of processes and
 * the host of rank 0. {@link org.gradwire.spi.scheduler.Assignment#find} reads the first complete
 * set of variables.
 */
@NullMarked
package org.gradwire.spi.scheduler;

import org.jspecify.annotations.NullMarked;
