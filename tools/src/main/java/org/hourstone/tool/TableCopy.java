package org.hourstone.tool;

import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.hourstone.codec.RowKey;
import org.hourstone.internal.Backoff;
import org.hourstone.internal.Retry;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowFilter;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.tool.CopyFamily.Holds;
import org.hourstone.tool.CopyOptions.Policy;
import org.hourstone.uid.UidTable;
import org.jspecify.annotations.Nullable;

/**
 * Copies cells verbatim from one store to another, with their write times, and reads everything
 * back.
 *
 * <p>Both stores may be written to during the copy. Each row of the source is copied, and compared,
 * as it was when it was read. A later cell that another client writes to the target stays, and is
 * reported. The copy deletes nothing in either store.
 *
 * <p>Memory is bounded by the number of threads, whatever the size of the stores, as long as each
 * row fits in memory. Each instance is for one run.
 */
public final class TableCopy {
  private static final int ATTEMPTS = 8;

  private final KeyValueStore from;
  private final KeyValueStore to;
  private final List<CopyFamily> families;
  private final RowKey keys;
  private final UidTable uids;
  private final CopyScope scope;
  private final CopyOptions options;
  private final CopyListener listener;
  private final Retry retry;
  private final InstantSource clock;
  private final UidAssignments claims;
  private final RowCopy copy;
  private final SeriesEntries entries;
  private final AtomicBoolean stopped = new AtomicBoolean();

  /**
   * @param families of both stores, exactly one for each of names, UIDs and series' metadata
   * @param uids of the source
   */
  public TableCopy(
      KeyValueStore from,
      KeyValueStore to,
      List<CopyFamily> families,
      RowKey keys,
      UidTable uids,
      CopyScope scope,
      CopyOptions options,
      CopyListener listener,
      Backoff backoff,
      InstantSource clock) {
    this.from = from;
    this.to = to;
    this.families = List.copyOf(families);
    this.keys = keys;
    this.uids = uids;
    this.scope = scope;
    this.options = options;
    this.listener = new OneAtATime(listener);
    this.retry = Retry.ofRepeatable(ATTEMPTS, backoff);
    this.claims = new UidAssignments(from, to, family(Holds.NAMES), family(Holds.UIDS), backoff);
    this.clock = clock;
    this.copy = new RowCopy(to, claims, this.listener, options.verifyOnly(), clock);
    this.entries =
        new SeriesEntries(
            from,
            family(Holds.NAMES),
            family(Holds.UIDS),
            family(Holds.SERIES),
            keys,
            copy,
            this.listener);
  }

  private CopyFamily family(Holds holds) {
    return families.stream().filter(each -> each.holds() == holds).findFirst().orElseThrow();
  }

  /**
   * Copies. Cells copied before a failure stay, and may be copied again.
   *
   * @param checkpoint the last one that the listener of a run of the same stores and scope
   *     received; null to start from the beginning
   * @throws CopyException if UIDs of the stores contradict each other, in which case nothing has
   *     been written unless the contradiction arose during the copy; or if a cell is not in the
   *     target after it was put
   * @throws IllegalArgumentException if the checkpoint is not one of this copy
   * @throws StoreException if a store fails
   */
  public CopyReport run(@Nullable String checkpoint) {
    CopyParts parts =
        new CopyParts(
            checkpoint == null
                ? CopyPlan.parts(
                    scope,
                    families,
                    keys,
                    kind -> uids.usage(kind).assigned(),
                    !options.verifyOnly())
                : CopyParts.read(checkpoint, families, selections()),
            listener,
            !options.verifyOnly());
    if (options.verifyOnly()) {
      copyAll(parts);
      claims.countersBehind().forEach(listener::differs);
      return parts.report();
    }
    retry.run(() -> refuseContradictions(parts));
    claims.raiseCounters();
    copyAll(parts);
    claims.raiseCounters();
    return parts.report();
  }

  private int selections() {
    return scope instanceof CopyScope.Series series ? series.selected().size() : 0;
  }

  /**
   * Called before anything is written; reads the source's rows only if UIDs contradict each other.
   */
  private void refuseContradictions(CopyParts parts) {
    UidContradictions contradictions =
        UidContradictions.find(from, to, family(Holds.NAMES), family(Holds.UIDS));
    if (contradictions.isEmpty()) {
      return;
    }
    Set<String> texts =
        scope instanceof CopyScope.Everything
            ? contradictions.all()
            : contradictionsOfRows(parts, contradictions);
    CopyException refusal = UidContradictions.refusal(texts);
    if (refusal != null) {
      throw refusal;
    }
  }

  private Set<String> contradictionsOfRows(CopyParts parts, UidContradictions contradictions) {
    Set<String> texts = new LinkedHashSet<>();
    for (CopyPart part : parts.all()) {
      try (LongScan rows = new LongScan(from, part.family.from(), scan(part))) {
        for (Row row = rows.next(); row != null; row = rows.next()) {
          if (keys.isSeriesRow(row.key()) && CopyPlan.passes(part, scope, keys, row.key())) {
            texts.addAll(contradictions.of(keys, keys.tsuid(row.key())));
          }
        }
      }
    }
    return texts;
  }

  private void copyAll(CopyParts parts) {
    try (CopyThreads threads = new CopyThreads(options.threads(), () -> stopped.set(true))) {
      for (int phase = 0; phase < parts.phases(); phase++) {
        int now = phase;
        threads.run(() -> work(parts, now));
      }
    }
  }

  private void work(CopyParts parts, int phase) {
    try {
      for (CopyPart part = parts.next(phase); part != null; part = parts.next(phase)) {
        copy(parts, part);
        if (stopped.get()) {
          return;
        }
        parts.finish(part);
      }
    } catch (RuntimeException | Error e) {
      stopped.set(true);
      throw e;
    }
  }

  private void copy(CopyParts parts, CopyPart part) {
    Retry.Failures failures = retry.failures();
    byte[] tried = part.next;
    for (boolean first = true; ; first = false) {
      try {
        long seen = clock.millis();
        boolean empty = first && !options.verifyOnly() && isEmptyThere(part);
        copyRest(parts, part, empty ? seen : RowCopy.NOT_SEEN_EMPTY);
        return;
      } catch (StoreException e) {
        if (stopped.get()) {
          throw e;
        }
        if (part.next != tried) {
          failures.reset();
        }
        tried = part.next;
        parts.repeat(part);
        failures.add(e);
      }
    }
  }

  /** Then the target's rows need not be read one by one. */
  private boolean isEmptyThere(CopyPart part) {
    try (RowCursor rows = to.scan(part.family.to(), part.rest().limit(1).rowsPerFetch(1))) {
      return rows.next() == null;
    }
  }

  private Scan scan(CopyPart part) {
    RowFilter filter =
        scope instanceof CopyScope.Series series && part.selection >= 0
            ? series.selected().get(part.selection).scan().filter()
            : RowFilter.any();
    return part.rest().filter(filter);
  }

  private void copyRest(CopyParts parts, CopyPart part, long emptyAt) {
    try (LongScan rows = new LongScan(from, part.family.from(), scan(part))) {
      while (!stopped.get()) {
        CopyBatch batch = CopyBatch.read(rows, part, scope, keys);
        byte[] lastKey = batch.lastKey();
        if (lastKey != null) {
          parts.did(part, lastKey, copy(parts, part, batch.rows(), emptyAt));
        }
        StoreException failure = batch.failure();
        if (failure != null) {
          throw failure;
        }
        if (lastKey == null) {
          return;
        }
      }
    }
  }

  private CopyCounts copy(CopyParts parts, CopyPart part, List<Row> rows, long emptyAt) {
    if (rows.isEmpty()) {
      return CopyCounts.NOTHING;
    }
    Policy policy =
        options.policy() == Policy.REFUSE && parts.isRepeated(part)
            ? Policy
                .UPDATE // cells that this copy has put before may have changed in the source since
            : options.policy();
    if (part.selection >= 0) {
      entries.copyFor(rows, policy).forEach(parts::didBeside);
    }
    return copy.copy(part.family, rows, emptyAt, policy);
  }

  /** Calls a listener from one thread at a time. */
  private record OneAtATime(CopyListener listener) implements CopyListener {
    @Override
    public void differs(String what) {
      synchronized (listener) {
        listener.differs(what);
      }
    }

    @Override
    public void note(String what) {
      synchronized (listener) {
        listener.note(what);
      }
    }

    @Override
    public void progress(long rows, long cells, int done, int parts) {
      synchronized (listener) {
        listener.progress(rows, cells, done, parts);
      }
    }

    @Override
    public void checkpoint(String state) {
      synchronized (listener) {
        listener.checkpoint(state);
      }
    }
  }
}
