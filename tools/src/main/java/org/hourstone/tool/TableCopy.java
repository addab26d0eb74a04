package org.hourstone.tool;

import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.hourstone.codec.RowKey;
import org.hourstone.internal.Backoff;
import org.hourstone.internal.LongScan;
import org.hourstone.internal.Retry;
import org.hourstone.internal.TableReader;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowFilter;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.tool.CopyOptions.Policy;
import org.jspecify.annotations.Nullable;

/**
 * Copies cells verbatim from one store to another, with their write times, and reads everything
 * back.
 *
 * <p>Both stores may be written to during the copy. Each row of the source is copied and compared
 * in the state in which it was read. A later cell that another client writes to the target stays
 * and is reported. The copy deletes nothing in either store.
 *
 * <p>The memory depends on the number of threads, not on the size of the stores, as long as each
 * row fits in memory. Each instance is for one run.
 */
public final class TableCopy {
  private static final int ATTEMPTS = 8;

  private final CopyTables tables;
  private final CopyScope scope;
  private final CopyOptions options;
  private final OneAtATime<CopyListener> listener;
  private final Retry retry;
  private final InstantSource clock;
  private final UidAssignments claims;
  private final RowCopy copy;
  private final SeriesEntries entries;
  private final Workers workers;

  public TableCopy(
      CopyTables tables,
      CopyScope scope,
      CopyOptions options,
      CopyListener listener,
      Backoff backoff,
      InstantSource clock) {
    this.tables = tables;
    this.scope = scope;
    this.options = options;
    this.listener = new OneAtATime<>(listener);
    this.retry = new Retry(ATTEMPTS, backoff);
    this.clock = clock;
    this.claims = new UidAssignments(tables, backoff);
    this.copy = new RowCopy(tables.to(), claims, this.listener, options.verifyOnly(), clock);
    this.entries = new SeriesEntries(tables, copy, this.listener);
    this.workers = new Workers(options.threads());
  }

  /**
   * Copies the cells. Cells copied before a failure stay, and may be copied again.
   *
   * @param checkpoint the last one that the listener of a run of the same stores and scope
   *     received; null to start from the beginning
   * @throws CopyException if UIDs of the stores contradict each other, in which case nothing has
   *     been written unless the contradiction arose during the copy; or if a cell is not in the
   *     target after it was put
   * @throws CheckpointException if the checkpoint does not belong to this copy
   * @throws StoreException if a store fails
   */
  public CopyReport run(@Nullable String checkpoint) {
    CopyParts parts =
        new CopyParts(
            checkpoint == null
                ? CopyPlan.parts(
                    scope,
                    tables.families(),
                    tables.keys(),
                    kind -> tables.uids().usage(kind).assigned(),
                    !options.verifyOnly())
                : CopyParts.read(checkpoint, tables.families(), selections()),
            listener,
            !options.verifyOnly());
    if (options.verifyOnly()) {
      copyAll(parts);
      claims.countersBehind().forEach(what -> listener.call(to -> to.differs(what)));
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
   * Fails if UIDs contradict each other. Called before anything is written; reads the source's rows
   * only if there are contradictions.
   */
  private void refuseContradictions(CopyParts parts) {
    UidContradictions contradictions = UidContradictions.find(tables);
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
    RowKey keys = tables.keys();
    TableReader reader = new TableReader(tables.from(), rows -> {});
    for (CopyPart part : parts.all()) {
      reader.read(
          part.family.from(),
          scan(part),
          row -> {
            if (keys.isSeriesRow(row.key()) && CopyPlan.passes(part, scope, keys, row.key())) {
              texts.addAll(contradictions.of(keys, keys.tsuid(row.key())));
            }
          });
    }
    return texts;
  }

  private void copyAll(CopyParts parts) {
    for (int phase = 0; phase < parts.phases(); phase++) {
      int now = phase;
      workers.run(() -> parts.next(now), part -> process(parts, part));
    }
  }

  private void process(CopyParts parts, CopyPart part) {
    copy(parts, part);
    if (!workers.isStopped()) {
      parts.finish(part);
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
        if (workers.isStopped()) {
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

  /** Whether the target has no row of a part, so that its rows need not be read one by one. */
  private boolean isEmptyThere(CopyPart part) {
    try (RowCursor rows =
        tables.to().scan(part.family.to(), part.rest().limit(1).rowsPerFetch(1))) {
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
    try (LongScan rows = new LongScan(tables.from(), part.family.from(), scan(part))) {
      while (!workers.isStopped()) {
        CopyBatch batch = CopyBatch.read(rows, part, scope, tables.keys());
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
                .UPDATE // cells that this copy has already put may have changed in the source since
            : options.policy();
    if (part.selection >= 0) {
      entries.copyFor(rows, policy).forEach(parts::didBeside);
    }
    return copy.copy(part.family, rows, emptyAt, policy);
  }
}
