package org.hourstone.index;

/**
 * The status of the series index.
 *
 * @param on whether this process keeps and uses it
 * @param complete whether it is used for queries, if it is on
 * @param text the state of the table: complete, incomplete, absent …
 * @param metricsHeld how many metrics are in memory
 * @param bytesHeld approximately how many bytes they take
 * @param problem the last reason why it could not be used, or was found incomplete; may be empty
 */
public record IndexStatus(
    boolean on, boolean complete, String text, int metricsHeld, long bytesHeld, String problem) {
  static final String COMPLETE = "complete";
}
