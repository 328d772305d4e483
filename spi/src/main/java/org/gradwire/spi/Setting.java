package org.gradwire.spi;

/**
 * The definition of a setting.
 *
 * @param key with its prefix, such as {@code gradwire.tensorpipe.term-length}
 * @param defaultValue as text; empty if there is none
 * @param description one sentence, with the unit
 */
public record Setting(String key, String defaultValue, String description) {}
