package org.hourstone.tool;

import java.time.InstantSource;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.hourstone.codec.RowKey;
import org.hourstone.internal.Backoff;
import org.hourstone.internal.LongScan;
import org.hourstone.internal.Retry;
import org.hourstone.kv.Family;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.table.CheckpointException;
import org.hourstone.table.TableCheckpoint;
import org.hourstone.table.TableRange;
import org.hourstone.table.TableRun;
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
  private final CopiedNames entries;
  private final Map<Family, CopyFamily> families;
  private final CopyTally tally = new CopyTally();

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
    this.entries = new CopiedNames(tables, copy, this.listener);
    this.families =
        tables.families().stream().collect(Collectors.toMap(CopyFamily::from, each -> each));
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
   * @throws StoreException if a store fails, or the target's disk is nearly full
   */
  public CopyReport run(@Nullable String checkpoint) {
    TableCheckpoint start = start(checkpoint);
    TableRun run = new TableRun(tables.from(), start, options.threads(), listener.listener());
    if (options.verifyOnly()) {
      run.run(range -> copy(run, range));
      claims.countersBehind().forEach(what -> listener.call(to -> to.differs(what)));
      return tally.report();
    }
    retry.run(() -> refuseContradictions(start.ranges()));
    tables.admission().run();
    claims.raiseCounters();
    run.savedWith(true, tally::saved).run(range -> copy(run, range));
    claims.raiseCounters();
    return tally.report();
  }

  private TableCheckpoint start(@Nullable String checkpoint) {
    if (checkpoint == null) {
      return TableCheckpoint.start(
          CopyPlan.ranges(
              scope,
              tables.families(),
              tables.keys(),
              kind -> tables.uids().usage(kind).assigned(),
              !options.verifyOnly()));
    }
    int selections = scope instanceof CopyScope.Series series ? series.selected().size() : 0;
    TableCheckpoint start = TableCheckpoint.read(checkpoint, families.keySet(), selections);
    tally.restore(start, families.keySet());
    return start;
  }

  /**
   * Fails if UIDs contradict each other. Called before anything is written; reads the source's rows
   * only if there are contradictions.
   */
  private void refuseContradictions(List<TableRange> ranges) {
    UidContradictions contradictions = UidContradictions.find(tables);
    if (contradictions.isEmpty()) {
      return;
    }
    Set<String> texts =
        scope instanceof CopyScope.Everything
            ? contradictions.all()
            : contradictionsOfRows(ranges, contradictions);
    CopyException refusal = UidContradictions.refusal(texts);
    if (refusal != null) {
      throw refusal;
    }
  }

  private Set<String> contradictionsOfRows(
      List<TableRange> ranges, UidContradictions contradictions) {
    Set<String> texts = new LinkedHashSet<>();
    RowKey keys = tables.keys();
    for (TableRange range : ranges) {
      Scan rest = CopyPlan.rest(range, scope);
      try (LongScan rows = new LongScan(tables.from(), range.family(), rest)) {
        for (Row row = rows.next(); row != null; row = rows.next()) {
          if (keys.isSeriesRow(row.key()) && CopyPlan.passes(range, scope, keys, row.key())) {
            texts.addAll(contradictions.of(keys, keys.tsuid(row.key())));
          }
        }
      }
    }
    return texts;
  }

  private void copy(TableRun run, TableRange range) {
    Retry.Failures failures = retry.failures();
    Scan tried = range.rest();
    for (boolean first = true; ; first = false) {
      try {
        long seen = clock.millis();
        boolean empty = first && !options.verifyOnly() && isEmptyThere(range);
        copyRest(run, range, empty ? seen : RowCopy.NOT_SEEN_EMPTY);
        return;
      } catch (StoreException e) {
        if (run.isStopped()) {
          throw e;
        }
        if (!Arrays.equals(range.rest().start(), tried.start())) {
          failures.reset();
        }
        tried = range.rest();
        run.repeat(range);
        failures.add(e);
      }
    }
  }

  /** Whether the target has no row of a range, so that its rows need not be read one by one. */
  private boolean isEmptyThere(TableRange range) {
    Scan first = range.rest().limit(1).rowsPerFetch(1);
    try (RowCursor rows = tables.to().scan(family(range).to(), first)) {
      return rows.next() == null;
    }
  }

  private CopyFamily family(TableRange range) {
    CopyFamily family = families.get(range.family());
    if (family == null) {
      throw new AssertionError(range.family());
    }
    return family;
  }

  private void copyRest(TableRun run, TableRange range, long emptyAt) {
    CopyFamily family = family(range);
    Scan rest = CopyPlan.rest(range, scope).writtenSince(options.since());
    try (LongScan rows = new LongScan(tables.from(), range.family(), rest)) {
      while (!run.isStopped()) {
        CopyBatch batch =
            CopyBatch.read(rows, range, family, scope, tables.keys(), options.since());
        byte[] lastKey = batch.lastKey();
        if (lastKey != null) {
          CopyCounts all = copy(run, range, family, batch.rows(), emptyAt);
          CopyCounts counts = CopyPlan.isAgain(range) ? all.again() : all;
          run.did(
              range, lastKey, counts.rows(), all.cells(), () -> tally.add(range.family(), counts));
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

  private CopyCounts copy(
      TableRun run, TableRange range, CopyFamily family, List<Row> rows, long emptyAt) {
    if (rows.isEmpty()) {
      return CopyCounts.NOTHING;
    }
    if (!options.verifyOnly()) {
      tables.admission().run();
    }
    Policy policy =
        options.policy() == Policy.REFUSE && run.isRepeated(range)
            ? Policy
                .UPDATE // cells that this copy has already put may have changed in the source since
            : options.policy();
    if (range.selection() >= 0) {
      entries.copyFor(rows, policy).forEach(tally::addBeside);
    }
    return copy.copy(family, rows, emptyAt, policy);
  }
}
