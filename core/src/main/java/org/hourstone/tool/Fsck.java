package org.hourstone.tool;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.hourstone.codec.RowKey;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidTable;
import org.hourstone.write.RowCompactor;

/**
 * Looks for damage in the data table and mends it: what loses nothing if told to fix, the rest as
 * far as it is permitted. May run while others write. What it has mended it doesn't find again.
 * Each instance is for one run.
 */
public final class Fsck {
  private static final int ROWS_AHEAD = 1000;
  private static final int FEWEST_ROWS_TO_JUDGE_BY = 10;
  private static final int ROWS_PER_TELLING = 1000;

  private final KeyValueStore store;
  private final Family family;
  private final RowKey keys;
  private final UidTable uids;
  private final FsckOptions options;
  private final FsckListener listener;
  private final FsckTally tally = new FsckTally();
  private final RowFsck rows;
  private final AtomicBoolean stopped = new AtomicBoolean();

  /**
   * @param family the data table's
   * @param compactor for rows that are to be compacted
   */
  public Fsck(
      KeyValueStore store,
      Family family,
      RowKey keys,
      UidTable uids,
      RowCompactor compactor,
      FsckOptions options,
      FsckListener listener) {
    this.store = store;
    this.family = family;
    this.keys = keys;
    this.uids = uids;
    this.options = options;
    this.listener = new OneAtATime(listener);
    this.rows =
        new RowFsck(
            keys,
            new RowNames(keys, uids),
            new RowWriter(store, family, keys, options, this.listener),
            compactor,
            options,
            this.listener,
            tally);
  }

  /**
   * Checks every row of the table.
   *
   * @param resume rows before this key are left out; empty for none
   * @throws IllegalArgumentException if most rows would be deleted, which means wrong settings
   * @throws org.hourstone.kv.StoreException if the store fails
   */
  public FsckReport fullScan(byte[] resume) {
    long lastMetric = uids.usage(UidKind.METRIC).assigned();
    return run(FsckParts.wholeTable(keys, lastMetric, resume), row -> true);
  }

  /**
   * Checks the rows of a selection. Throws as {@link #fullScan} does.
   *
   * @param scans their starts and stops have salt, metric and base time
   * @param passes which of their rows, by key
   */
  public FsckReport check(List<Scan> scans, Predicate<byte[]> passes, byte[] resume) {
    return run(FsckParts.of(scans, keys, resume), passes);
  }

  private FsckReport run(FsckParts parts, Predicate<byte[]> passes) {
    refuseToDeleteMost(parts, passes);
    ExecutorService threads = Executors.newFixedThreadPool(options.threads());
    try {
      List<Future<?>> workers = new ArrayList<>();
      for (int i = 0; i < options.threads(); i++) {
        workers.add(threads.submit(() -> work(parts, passes)));
      }
      for (Future<?> worker : workers) {
        await(worker);
      }
    } finally {
      stopped.set(true);
      threads.shutdown();
    }
    return tally.report();
  }

  private void await(Future<?> worker) {
    try {
      worker.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (ExecutionException e) {
      stopped.set(true);
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  private void work(FsckParts parts, Predicate<byte[]> passes) {
    try {
      for (FsckPart part = parts.next(); part != null; part = parts.next()) {
        if (!work(parts, part, passes)) {
          return;
        }
      }
    } finally {
      parts.tell(listener);
    }
  }

  private boolean work(FsckParts parts, FsckPart part, Predicate<byte[]> passes) {
    try (RowCursor cursor = store.scan(family, part.scan)) {
      int untold = 0;
      for (Row row = cursor.next(); row != null; row = cursor.next()) {
        if (stopped.get()) {
          return false;
        }
        if (passes.test(row.key())) {
          rows.check(row);
        }
        parts.did(part, row.key());
        if (++untold % ROWS_PER_TELLING == 0) {
          parts.tell(listener);
        }
      }
    }
    parts.finish(part);
    parts.tell(listener);
    return true;
  }

  /** With wrong widths or a wrong salt every row looks like one to be deleted. */
  private void refuseToDeleteMost(FsckParts parts, Predicate<byte[]> passes) {
    boolean deletes =
        options.permits(FsckAction.DELETE_ORPHANS) || options.permits(FsckAction.DELETE_BAD_ROWS);
    if (!options.fix() || !deletes || options.permits(FsckAction.DELETE_MOST_ROWS)) {
      return;
    }
    int seen = 0;
    int unreadable = 0;
    for (Scan scan : parts.scans()) {
      try (RowCursor cursor = store.scan(family, scan.limit(ROWS_AHEAD))) {
        for (Row row = cursor.next(); row != null && seen < ROWS_AHEAD; row = cursor.next()) {
          if (passes.test(row.key())) {
            seen++;
            unreadable += rows.unreadable(row.key()) == null ? 0 : 1;
          }
        }
      }
      if (seen >= ROWS_AHEAD) {
        break;
      }
    }
    if (seen >= FEWEST_ROWS_TO_JUDGE_BY && unreadable * 2 > seen) {
      throw new IllegalArgumentException(
          "nothing is changed: "
              + unreadable
              + " of the first "
              + seen
              + " rows have no readable key and would be deleted; are tsd.storage.uid.width.* and"
              + " tsd.storage.salt.* those of the data? "
              + FsckAction.DELETE_MOST_ROWS.option()
              + " deletes them all the same");
    }
  }

  /** Calls a listener from one thread at a time. */
  private record OneAtATime(FsckListener listener) implements FsckListener {
    @Override
    public void found(FsckFinding finding) {
      synchronized (listener) {
        listener.found(finding);
      }
    }

    @Override
    public void removing(Family family, Row cells) {
      synchronized (listener) {
        listener.removing(family, cells);
      }
    }

    @Override
    public void progress(long rows, int done, int parts, byte[] resume) {
      synchronized (listener) {
        listener.progress(rows, done, parts, resume);
      }
    }
  }
}
