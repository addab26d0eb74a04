package org.hourstone.health;

import org.jspecify.annotations.Nullable;

/**
 * Whether a store answers, as known from the calls made to it.
 *
 * @param silentSeconds for how long the calls of one kind have failed or waited without an answer;
 *     0 if the store answers, or if nothing was asked of it for a minute
 * @param reason what fails and why, in one line; null if the store answers
 * @param longestWaitSeconds for how long the oldest call has waited until now
 * @param failedReads the number of calls that have failed
 * @param failedWrites the number of calls that have failed
 * @param refusal why new points are refused though it answers; null if they are not
 */
public record StoreState(
    long silentSeconds,
    @Nullable String reason,
    long longestWaitSeconds,
    long failedReads,
    long failedWrites,
    @Nullable String refusal) {
  /** Whether it answers. */
  public boolean answers() {
    return reason == null;
  }

  /** The same, but that new points are refused for a reason; null if they are not. */
  public StoreState refusing(@Nullable String why) {
    return new StoreState(
        silentSeconds, reason, longestWaitSeconds, failedReads, failedWrites, why);
  }
}
