package org.hourstone.write;

import org.jspecify.annotations.Nullable;

/**
 * The state of a {@link PointWriter}.
 *
 * @param threads how many writing threads were started
 * @param alive how many of them run: fewer than were started before the writer is closed means that
 *     points of some series are refused until the process is restarted
 * @param waiting how many points wait in the threads' queues
 * @param stored how many points and cells the store has accepted
 * @param failed how many were accepted and not stored
 * @param lastFailure the last reason for that, or why a thread has ended; null if there was none
 *     failed
 */
public record WriterStats(
    int threads, int alive, long waiting, long stored, long failed, @Nullable String lastFailure) {
  /** The sum of two. */
  WriterStats plus(WriterStats other) {
    return new WriterStats(
        threads + other.threads,
        alive + other.alive,
        waiting + other.waiting,
        stored + other.stored,
        failed + other.failed,
        other.lastFailure == null ? lastFailure : other.lastFailure);
  }
}
