package org.hourstone.head;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the open rows of a shard that are due: by their time, because a caller waits for them, or
 * the oldest if there are too many. Rows are given in the order in which they were opened. For the
 * thread of the shard.
 */
final class DueRows {
  /** How often the rows of a journal are examined. */
  private static final long LOOK_MILLIS = 5_000;

  /** How often it is found out whether callers wait for points. */
  private static final long AWAITED_MILLIS = 1_000;

  private final HeadParts head;
  private final HeadOptions options;
  private final long mostBytes;

  /** Rows whose series have gone on to other rows, and whose hours were over long before. */
  private final List<OpenRow> passed = new ArrayList<>();

  /** Rows with points that a caller waits for. */
  private final Set<OpenRow> awaited = new LinkedHashSet<>();

  /** Whether rows of the journal are due by the interval. */
  private final boolean byInterval;

  private long lookedAt;

  /** When all rows of a journal were examined, and before when none is due by its time. */
  private long examinedAt;

  private long nextDue;

  DueRows(HeadParts head, long mostBytes) {
    this.head = head;
    this.options = head.options();
    this.mostBytes = mostBytes;
    this.byInterval = head.journal().isOfWriter();
  }

  /** The series of a row has gone on to another row. */
  void pass(OpenRow row) {
    if (row.isJournaled() && head.clock().millis() >= row.dueByHour()) {
      passed.add(row);
    }
  }

  /** A caller waits for a point of the row. */
  void await(OpenRow row) {
    awaited.add(row);
  }

  /** A row that others wait for is open no more. */
  void remove(OpenRow row) {
    awaited.remove(row);
  }

  /** The rows that callers wait for by now are due. */
  void addAwaited(Iterable<OpenRow> rows) {
    for (OpenRow row : rows) {
      Waiting waiting = row.waiting();
      if (waiting != null && waiting.anyAwaited()) {
        awaited.add(row);
      }
    }
  }

  /** How often the rows of this journal are examined. */
  long lookMillis() {
    return byInterval
        ? Math.min(LOOK_MILLIS, options.buffering().interval().toMillis())
        : LOOK_MILLIS;
  }

  /** For how long a row of the journal is open at least, unless there are too many. */
  private long leastMillis() {
    return byInterval ? options.buffering().interval().toMillis() : OpenRow.GRACE_MILLIS;
  }

  /** When a row of the journal is due. */
  private long dueAt(OpenRow row) {
    long least = row.openedAt() + leastMillis();
    return byInterval ? least : Math.max(row.dueByHour(), least);
  }

  /** After how many milliseconds rows may be due by the interval, or be awaited. */
  long millisUntilDue(Iterable<OpenRow> rows) {
    Iterator<OpenRow> oldest = rows.iterator();
    long left = oldest.hasNext() ? left(oldest.next(), head.clock().millis()) : 0;
    return Math.min(AWAITED_MILLIS, Math.max(1, left));
  }

  /** How long a row may still stay; a clock that was put back must not keep it for longer. */
  private long left(OpenRow row, long now) {
    long until = row.openedAt() + options.buffering().interval().toMillis();
    return now < row.openedAt() ? 0 : until - now;
  }

  /**
   * The rows that are due by the flush interval.
   *
   * @param points of all rows
   * @param bytes of memory of all rows
   */
  Set<OpenRow> byInterval(Iterable<OpenRow> rows, long points, long bytes) {
    long now = head.clock().millis();
    if (now - lookedAt >= AWAITED_MILLIS || now < lookedAt) {
      lookedAt = now;
      addAwaited(rows);
    }
    Set<OpenRow> found = new LinkedHashSet<>(awaited);
    // Down to somewhat below the bounds, so that not every new point writes a row.
    boolean makeRoom = points > options.buffering().points() || bytes > mostBytes;
    long pointsLeft = points;
    long bytesLeft = bytes;
    for (OpenRow row : rows) {
      makeRoom &= pointsLeft > options.roomyPoints() || bytesLeft > options.roomyBytes();
      if (!makeRoom && left(row, now) > 0) {
        break;
      }
      found.add(row);
      pointsLeft -= row.points();
      bytesLeft -= row.memory();
    }
    return found;
  }

  /**
   * The rows of a journal that are due.
   *
   * @param bytes of memory of all rows
   * @return null if it is not time to examine them
   */
  @Nullable Set<OpenRow> byHour(Iterable<OpenRow> rows, long bytes) {
    long now = head.clock().millis();
    boolean look = now - lookedAt >= lookMillis() || now < lookedAt;
    boolean tooMany = bytes > mostBytes;
    if (!look && !tooMany && passed.size() < options.sealing().batchPoints()) {
      return null;
    }
    Set<OpenRow> found = new LinkedHashSet<>(passed); // a row may be there more than once
    passed.clear();
    found.removeIf(row -> !row.isPassed());
    if (look || tooMany) {
      lookedAt = now;
      addDue(rows, now, bytes, found);
    }
    return found;
  }

  private void addDue(Iterable<OpenRow> rows, long now, long bytes, Set<OpenRow> found) {
    long after = head.journal().bytes() > options.journalBytes() ? oldestToKeep() : 0;
    long tooMuch = bytes > mostBytes ? bytes - mostBytes / 8 * 7 : 0;
    boolean byTime = now < examinedAt || now >= nextDue;
    long next = now + leastMillis(); // rows that are opened later are not due before
    List<OpenRow> others = new ArrayList<>();
    for (OpenRow row : rows) {
      if (!byTime && row.firstRecord() >= after && tooMuch <= 0) {
        break; // and so are those after it
      }
      long dueAt = dueAt(row);
      if (now >= dueAt || now < row.openedAt() || row.firstRecord() < after) {
        tooMuch -= row.memory();
        found.add(row);
        next = now; // it may stay open
      } else {
        next = Math.min(next, dueAt);
        if (tooMuch > 0) {
          others.add(row);
        }
      }
    }
    if (tooMuch > 0) {
      makeRoom(others, tooMuch, found);
      next = now;
    }
    if (byTime) {
      examinedAt = now;
      nextDue = next;
    }
  }

  /**
   * Rows that series have left make room first, then some that were opened first, which may have no
   * more points, then those that were opened last. Collectors send the points of all series in
   * turn: if each row took the place of the oldest, all would be written with one point each.
   *
   * @param rows in the order in which they were opened
   */
  private static void makeRoom(List<OpenRow> rows, long tooMuch, Set<OpenRow> found) {
    long left = add(rows.stream().filter(OpenRow::isPassed), tooMuch, found);
    long ofLast = left - left / 8;
    left = add(rows.stream(), left - ofLast, found) + ofLast;
    add(
        IntStream.rangeClosed(1, rows.size()).mapToObj(i -> rows.get(rows.size() - i)),
        left,
        found);
  }

  /** Adds rows of a number of bytes; returns how many bytes are missing. */
  private static long add(Stream<OpenRow> rows, long bytes, Set<OpenRow> found) {
    long left = bytes;
    for (Iterator<OpenRow> next = rows.iterator(); left > 0 && next.hasNext(); ) {
      OpenRow row = next.next();
      if (found.add(row)) {
        left -= row.memory();
      }
    }
    return Math.max(0, left);
  }

  private long oldestToKeep() {
    Long record = head.journal().after(options.journalBytes() / 4 * 3);
    return record == null ? Long.MAX_VALUE : record;
  }

  /** The next time, all rows of a journal are examined. */
  void examineAll() {
    nextDue = 0;
  }
}
