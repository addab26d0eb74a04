package org.hourstone.query;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.FutureTask;
import org.hourstone.codec.Timestamps;
import org.jspecify.annotations.Nullable;

/**
 * The slices of some salt buckets in time order, read ahead by other threads. The length of a slice
 * is computed from the number of rows in the slices before it. For one thread, which reads a slice
 * itself if its reading has not started, so it never waits for a thread that waits, too.
 */
final class SliceStream {
  private static final long SHORTEST_FIRST_SLICE = 4L * Timestamps.ROW_SECONDS;
  private static final long LONGEST_FIRST_SLICE = 24L * Timestamps.ROW_SECONDS;
  private static final long FEW_ROWS = 1024;
  private static final int GROWTH = 4;

  /** Slices that take longer are made shorter, since limits are also checked between them. */
  private static final long LONG_MILLIS = 500;

  private record Reading(Slice slice, FutureTask<Slice.Content> task) {}

  private final SliceCutting cutting;
  private final QueryContext use;
  private final QueryThreads threads;
  private final int firstSalt;
  private final int stopSalt;
  private final int ahead;
  private final Deque<Reading> readings = new ArrayDeque<>();
  private long length;
  private long next;
  private long covered;
  private volatile boolean abandoned;

  /**
   * @param part which of the parts into which the salt buckets are divided
   * @param parts how many there are; streams of all of them are read at once
   */
  SliceStream(SliceCutting cutting, int part, int parts, QueryContext use, QueryThreads threads) {
    this.cutting = cutting;
    this.use = use;
    this.threads = threads;
    int salts = cutting.plan().keys().schema().distinctSalts();
    this.firstSalt = salts * part / parts;
    this.stopSalt = salts * (part + 1) / parts;
    this.ahead = Math.max(1, (threads.count() + 1) / parts);
    ScanRange range = cutting.plan().range();
    long share = (range.stopSeconds() - range.startSeconds()) / (2L * threads.count());
    this.length = Math.max(SHORTEST_FIRST_SLICE, Math.min(share, LONGEST_FIRST_SLICE));
    this.next = range.startSeconds();
    this.covered = next;
  }

  /** Up to which hour slices were taken, in seconds. */
  long covered() {
    return covered;
  }

  boolean isDone() {
    return covered >= stop();
  }

  private long stop() {
    return cutting.plan().range().stopSeconds();
  }

  /** Has slices read ahead. */
  void readAhead() {
    while (readings.size() < ahead && next < stop()) {
      long end = cutting.end(next, length);
      boolean alone = next == covered && end == stop();
      Slice slice = new Slice(new ScanRange(next, end), firstSalt, stopSalt);
      readings.add(start(slice, !alone || readings.size() > 0));
      next = end;
    }
  }

  private Reading start(Slice slice, boolean elsewhere) {
    FutureTask<Slice.Content> task =
        new FutureTask<>(() -> new SliceReader(cutting, slice, use, () -> abandoned).read());
    if (elsewhere) {
      threads.execute(task);
    }
    return new Reading(slice, task);
  }

  /** The next slice, or null after the last one. */
  Slice.@Nullable Content next() {
    readAhead();
    Reading reading = readings.peek();
    if (reading == null) {
      return null;
    }
    Slice.Content content = QueryThreads.join(reading.task());
    readings.remove(); // not before: if the wait is interrupted, close waits for it
    threads.forget(reading.task());
    covered = content.stopSeconds();
    adapt(content, reading.slice());
    if (covered < reading.slice().hours().stopSeconds()) {
      // The slice was cut short: its rest precedes all slices read ahead.
      Slice rest =
          new Slice(
              new ScanRange(covered, reading.slice().hours().stopSeconds()), firstSalt, stopSalt);
      readings.addFirst(start(rest, true));
    }
    readAhead();
    return content;
  }

  private void adapt(Slice.Content content, Slice slice) {
    long seconds = content.stopSeconds() - slice.hours().startSeconds();
    if (content.millis() > LONG_MILLIS) {
      length = seconds / GROWTH; // rows that filters refuse take their time, too
    } else {
      length = content.rows() < FEW_ROWS ? seconds * GROWTH : seconds;
    }
  }

  /** Stops reading, and closes the slices that were read ahead. */
  void close() {
    abandoned = true;
    for (Reading each : readings) {
      QueryThreads.await(each.task()).ifPresent(Slice.Content::close);
      threads.forget(each.task());
    }
    readings.clear();
  }
}
