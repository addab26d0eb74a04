package org.hourstone.index;

/**
 * The status of the series index.
 *
 * @param on whether this process maintains and uses it
 * @param complete whether it is used for queries, if it is on
 * @param text the state of the table: complete, incomplete, absent …
 * @param metricsHeld the number of metrics in memory
 * @param bytesHeld the approximate number of bytes they use
 * @param problem the last reason why the index could not be used or was found incomplete; may be
 *     empty
 */
public record IndexStatus(
    boolean on, boolean complete, String text, int metricsHeld, long bytesHeld, String problem) {
  static final String COMPLETE = "complete";
}
