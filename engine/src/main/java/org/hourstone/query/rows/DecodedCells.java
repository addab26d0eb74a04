package org.hourstone.query.rows;

import java.util.Iterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.hourstone.codec.PackedPoints;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.coded.CodedPoints;
import org.hourstone.kv.CodedCell;
import org.hourstone.query.DecodedCellStats;

/**
 * The points of coded cells that were read at least twice, so that repeated queries need not decode
 * them. The key is the whole coded form, so an entry is always correct and never has to be
 * invalidated.
 *
 * <p>The first reading of a cell only leaves a trace. At the next reading the cell is kept, if
 * there is room, or if dropping cells that were last read before the trace was left makes room. So
 * cells that are read once drop nothing, and if the cells of a cycle do not all fit, some stay.
 *
 * <p>Time is counted in cells read. Thread-safe.
 */
public final class DecodedCells {
  /** Shorter forms are decoded about as fast as found. */
  private static final int LEAST_BYTES = 32;

  /** Fewer points are not worth their memory. */
  private static final int LEAST_POINTS = 32;

  /** Memory of a cell without its points and coded form: key, map entry, headers of arrays. */
  private static final int CELL_BYTES = 136;

  /** There is one trace for this many bytes of the cache. */
  private static final int BYTES_PER_TRACE = 256;

  private static final int MOST_TRACES = 1 << 20;

  /** A cell that takes a larger part of the cache than one of this many is not kept. */
  private static final int LEAST_CELLS = 16;

  /** The maximum number of cells that are examined to make room for another one. */
  private static final int MOST_EXAMINED = 4;

  private final long mostBytes;
  private final ConcurrentHashMap<CodedForm, Decoded> cells = new ConcurrentHashMap<>();

  private final ReadingTraces traces;
  private final AtomicLong asked = new AtomicLong();
  private final LongAdder found = new LongAdder();

  /** Guarded by this. */
  private long bytes;

  /** The cells to examine next. Guarded by this. */
  private Iterator<Decoded> hand = cells.values().iterator();

  /**
   * @param mostBytes of memory they take; 0 to keep none
   */
  public DecodedCells(long mostBytes) {
    this.traces = new ReadingTraces(Math.min(MOST_TRACES, mostBytes / BYTES_PER_TRACE));
    this.mostBytes = mostBytes - (long) Long.BYTES * traces.size();
  }

  /** For one thread. */
  Reader reader() {
    return new Reader();
  }

  public synchronized DecodedCellStats stats() {
    long all = asked.get();
    long hits = found.sum();
    return new DecodedCellStats(cells.size(), bytes, hits, Math.max(0, all - hits));
  }

  /** Decodes cells, or finds them. For one thread. */
  final class Reader implements AutoCloseable {
    /** A shared counter would bounce its cache line between threads. */
    private static final int MOST_UNREPORTED = 64;

    private long reported = asked.get();
    private int newAsked;
    private int newFound;

    private Reader() {}

    /** As {@link CodedPoints#addPoints}. */
    boolean addPoints(CodedCell cell, RowPoints points) {
      byte[] bytes = cell.bytes();
      byte[] start = cell.start();
      if (bytes.length < LEAST_BYTES || traces.size() == 0) {
        return CodedPoints.addPoints(bytes, start, points);
      }
      CodedForm form = CodedForm.of(bytes, start);
      Decoded known = cells.get(form);
      long now = now(known != null);
      if (known != null) {
        known.asked = now;
        points.addAll(known.points);
        return true;
      }
      long since = traces.leave(form.hash, now);
      int first = points.size();
      if (!CodedPoints.addPoints(bytes, start, points)) {
        return false;
      }
      if (since > 0 && points.size() - first >= LEAST_POINTS) {
        keep(form, points.packed(first), now, now - since);
      }
      return true;
    }

    private long now(boolean isFound) {
      newAsked++;
      newFound += isFound ? 1 : 0;
      if (newAsked == MOST_UNREPORTED) {
        report();
      }
      return reported + newAsked;
    }

    @Override
    public void close() {
      report();
    }

    private void report() {
      reported = asked.addAndGet(newAsked);
      found.add(newFound);
      newAsked = 0;
      newFound = 0;
    }
  }

  /**
   * Keeps a cell if there is room for it.
   *
   * @param since when it was read before
   */
  private void keep(CodedForm form, PackedPoints points, long now, long since) {
    Decoded decoded = new Decoded(form, points, now);
    if (decoded.bytes <= mostBytes / LEAST_CELLS) {
      synchronized (this) {
        if (makeRoom(decoded.bytes, since) && cells.putIfAbsent(form, decoded) == null) {
          bytes += decoded.bytes;
        }
      }
    }
  }

  /** Drops cells that were last read before a time; returns whether there is room. */
  private boolean makeRoom(long wanted, long since) {
    for (int i = 0; bytes + wanted > mostBytes && i < MOST_EXAMINED; i++) {
      if (!hand.hasNext()) {
        hand = cells.values().iterator();
      }
      Decoded examined = hand.next();
      if (examined.asked < since) {
        bytes -= cells.remove(examined.form, examined) ? examined.bytes : 0;
      }
    }
    return bytes + wanted <= mostBytes;
  }

  private static final class Decoded {
    final CodedForm form;
    final PackedPoints points;
    final long bytes;

    /** When it was last read. Not volatile: an older time does no harm. */
    long asked;

    Decoded(CodedForm form, PackedPoints points, long asked) {
      this.form = form;
      this.points = points;
      this.bytes = CELL_BYTES + form.bytes.length + points.memoryBytes();
      this.asked = asked;
    }
  }
}
