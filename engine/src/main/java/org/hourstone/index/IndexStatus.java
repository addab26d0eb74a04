package org.hourstone.index;

/**
 * How the series index is.
 *
 * @param on whether this process keeps and uses it
 * @param complete whether answers are taken from it, where it is on
 * @param text the state of the table: complete, incomplete, absent …
 * @param metricsHeld how many metrics are in memory
 * @param bytesHeld how many bytes they take, about
 * @param problem why it could not be used, or was found incomplete, the last time; may be empty
 */
public record IndexStatus(
    boolean on, boolean complete, String text, int metricsHeld, long bytesHeld, String problem) {}
