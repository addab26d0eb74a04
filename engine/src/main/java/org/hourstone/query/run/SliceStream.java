package org.hourstone.query.run;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.hourstone.codec.Timestamps;
import org.hourstone.query.QueryThreads;
import org.hourstone.query.plan.Plan;
import org.hourstone.query.plan.SliceCutting;
import org.hourstone.query.rows.ScanRange;
import org.hourstone.query.rows.Slice;
import org.jspecify.annotations.Nullable;

/**
 * The slices of some salt buckets in time order, read ahead by other threads. The length of a slice
 * is computed from the number of rows in the slices before it. A slice of one hour with many series
 * is read in parts. For one thread, which reads a slice itself if its reading has not started, so
 * it never waits for a thread that waits, too.
 */
final class SliceStream {
  private static final long SHORTEST_FIRST_SLICE = 4L * Timestamps.ROW_SECONDS;
  private static final long LONGEST_FIRST_SLICE = 24L * Timestamps.ROW_SECONDS;
  private static final int GROWTH = 4;

  /** Slices that take longer are made shorter, since limits are also checked between them. */
  private static final long LONG_MILLIS = 500;

  /**
   * @param parts the rest of the slice's parts
   */
  private record Started(Slice slice, Deque<FutureTask<Slice.Content>> parts) {}

  private final RowReading reading;
  private final Plan plan;
  private final SliceCutting cutting;
  private final SliceReaders readers;
  private final int firstSalt;
  private final int stopSalt;
  private final int ahead;
  private final List<byte[]> cuts;
  private final int fewRows;
  private final Deque<Started> started = new ArrayDeque<>(2);
  private long length;
  private long next;
  private long covered;

  /** How many rows the parts of the current slice have so far, and the longest time of one. */
  private long rows;

  private long millis;
  private volatile boolean abandoned;

  /**
   * @param part which of the parts into which the salt buckets are divided
   * @param parts how many there are; streams of all of them are read at once
   */
  SliceStream(RowReading reading, int part, int parts, SliceReaders readers) {
    this.reading = reading;
    this.plan = reading.rows();
    this.cutting = reading.cutting();
    this.readers = readers;
    int salts = plan.keys().schema().distinctSalts();
    this.firstSalt = salts * part / parts;
    this.stopSalt = salts * (part + 1) / parts;
    this.ahead = Math.max(1, (readers.count() + 1) / parts);
    this.cuts = parts == 1 ? plan.cuts(readers.count()) : List.of();
    this.fewRows = Math.max(1, plan.options().work().sliceRows() / GROWTH); // none are few
    ScanRange range = plan.range();
    long all = range.stopSeconds() - range.startSeconds();
    long share = all / (2L * readers.count());
    if (plan.isSmall()) {
      this.length = all; // read sooner than another thread takes a part over
    } else {
      this.length =
          cuts.isEmpty() ? Math.max(SHORTEST_FIRST_SLICE, Math.min(share, LONGEST_FIRST_SLICE)) : 0;
    }
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
    return plan.range().stopSeconds();
  }

  /** Has slices read ahead. */
  void readAhead() {
    while (started.size() < ahead && next < stop()) {
      long end = cutting.end(next, length);
      boolean alone = next == covered && end == stop();
      Slice slice = Slice.of(new ScanRange(next, end), firstSalt, stopSalt);
      started.add(start(slice, !alone || started.size() > 0));
      next = end;
    }
  }

  private Started start(Slice slice, boolean elsewhere) {
    Deque<FutureTask<Slice.Content>> parts = new ArrayDeque<>(1);
    for (Slice part : cutting.isHour(slice.hours()) ? slice.cut(cuts) : List.of(slice)) {
      FutureTask<Slice.Content> task =
          new FutureTask<>(() -> new SliceReader(reading, part, () -> abandoned).read());
      if (elsewhere || !parts.isEmpty()) {
        readers.offer(task);
      }
      parts.add(task);
    }
    return new Started(slice, parts);
  }

  /** The next slice or part of one, or null after the last one. */
  Slice.@Nullable Content next() {
    readAhead();
    Started first = started.peek();
    if (first == null) {
      return null;
    }
    FutureTask<Slice.Content> task = first.parts().element();
    Slice.Content content = readers.join(task);
    first.parts().remove(); // not before: if the wait is interrupted, close waits for it
    rows += content.rows();
    millis = Math.max(millis, content.millis());
    if (!first.parts().isEmpty()) {
      return content; // other series of its hour follow
    }
    started.remove();
    covered = content.stopSeconds();
    adapt(content, first.slice());
    if (covered < first.slice().hours().stopSeconds()) {
      // The slice was cut short: its rest precedes all slices read ahead.
      Slice rest =
          Slice.of(
              new ScanRange(covered, first.slice().hours().stopSeconds()), firstSalt, stopSalt);
      started.addFirst(start(rest, true));
    }
    readAhead();
    return content;
  }

  private void adapt(Slice.Content content, Slice slice) {
    long seconds = content.stopSeconds() - slice.hours().startSeconds();
    if (millis > LONG_MILLIS) {
      length = seconds / GROWTH; // rows that filters refuse take their time, too
    } else {
      length = rows < fewRows ? seconds * GROWTH : seconds;
    }
    rows = 0;
    millis = 0;
  }

  /** Stops reading, and closes the slices that were read ahead. */
  void close() {
    abandoned = true;
    for (Started each : started) {
      for (FutureTask<Slice.Content> part : each.parts()) {
        QueryThreads.await(part).ifPresent(Slice.Content::close);
      }
    }
    started.clear();
  }
}
