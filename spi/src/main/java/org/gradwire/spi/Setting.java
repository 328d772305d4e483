package org.gradwire.spi;

/**
 * A setting that can be configured.
 *
 * @param key with its prefix, such as {@code gradwire.tensorpipe.term-length}
 * @param defaultValue as it would be written, empty when there is none
 * @param description one sentence, with the unit
 */
public record Setting(String key, String defaultValue, String description) {}
