package org.hourstone.write;

import org.jspecify.annotations.Nullable;

/**
 * The state of a {@link PointWriter}.
 *
 * @param threads the number of writing threads that were started
 * @param alive the number of those that run
 * @param restarts how often one has begun again after an error
 * @param waiting the number of points in the threads' queues
 * @param stored the number of points and cells that the store has accepted
 * @param failed the number of those that were accepted and not stored
 * @param lastFailure the last reason for that; null if there was none
 */
public record WriterStats(
    int threads,
    int alive,
    long restarts,
    long waiting,
    long stored,
    long failed,
    @Nullable String lastFailure) {
  /** The sum of two. */
  WriterStats plus(WriterStats other) {
    return new WriterStats(
        threads + other.threads,
        alive + other.alive,
        restarts + other.restarts,
        waiting + other.waiting,
        stored + other.stored,
        failed + other.failed,
        other.lastFailure == null ? lastFailure : other.lastFailure);
  }
}
