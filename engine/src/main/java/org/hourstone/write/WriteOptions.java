package org.hourstone.write;

import java.time.Duration;

/**
 * How points are written.
 *
 * @param batching how they are passed to the writing threads
 * @param cached how many series are kept resolved in memory
 * @param closing how long closing waits for queued points to be written, more than zero
 */
public record WriteOptions(Batching batching, Cached cached, Duration closing) {
  public WriteOptions {
    if (closing.isZero() || closing.isNegative()) {
      throw new IllegalArgumentException("the time for closing must be more than " + closing);
    }
  }

  /**
   * How many series are kept resolved. Those with long texts or names count as more than one.
   *
   * @param texts by the bytes of lines and JSON
   * @param names by metric and tags, as a program names them
   */
  public record Cached(int texts, int names) {}

  /**
   * How points are passed to the writing threads.
   *
   * @param threads the number of threads that write batches, at least 1; all points of a series are
   *     written by the same one
   * @param queuePoints the maximum number of points that wait for each thread, at least 1; a writer
   *     waits if its queue is full
   * @param batchPoints about how many points a thread takes at a time, at least 1
   */
  public record Batching(int threads, int queuePoints, int batchPoints) {
    public Batching {
      if (threads < 1 || queuePoints < 1 || batchPoints < 1) {
        throw new IllegalArgumentException("threads, queue and batch must be at least 1");
      }
    }
  }
}
