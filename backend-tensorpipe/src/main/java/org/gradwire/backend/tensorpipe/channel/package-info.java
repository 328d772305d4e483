/**
 * Channels for large buffers: TCP between hosts, and {@code process_vm_readv} between processes of
 * one host.
 */
@NullMarked
package org.gradwire.backend.tensorpipe.channel;

import org.jspecify.annotations.NullMarked;
