package org.hourstone.head;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Iterables;
import com.google.common.collect.Lists;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.hourstone.codec.CompactedCell;
import org.hourstone.codec.RowPoints;
import org.hourstone.internal.Retry;
import org.hourstone.kv.BatchException;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Limits;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Writes open rows to the data table. A row is reported as sealed only after the table has accepted
 * all of its cells; of one that is not, the points stay in the head and in its journal. For the
 * thread of its shard.
 */
final class RowSealing {
  /** Is notified of the rows that were written, before others are. */
  interface Listener {
    /**
     * @param batch the rows of one call of the store
     * @param notApplied those of them that are not written, or of which that is unknown
     * @param shared rows whose points are or will be in several cells
     */
    void sealed(List<OpenRow> batch, Iterable<OpenRow> notApplied, Set<OpenRow> shared);
  }

  private static final System.Logger LOG = System.getLogger("org.hourstone.head");

  private final Head head;
  private final int maxCellBytes;
  private final int batchPoints;
  private final BooleanSupplier isLate;
  private final Listener listener;
  private final RowPoints scratch = new RowPoints();

  /** Why rows of the present call stay open; null if none do. */
  private @Nullable StoreException reason;

  /**
   * @param isLate whether no attempt at a call of the store is repeated any more
   */
  RowSealing(Head head, HeadOptions options, BooleanSupplier isLate, Listener listener) {
    this.head = head;
    this.maxCellBytes = options.maxCellBytes();
    this.batchPoints = options.batchPoints();
    this.isLate = isLate;
    this.listener = listener;
  }

  /** A row and its points now, as puts. */
  private record Sealing(OpenRow row, List<Change> puts, int points) {
    RowMutation mutation() {
      return new RowMutation(row.key(), puts);
    }

    /** Some of its puts. */
    Sealing part(int from, int to) {
      return new Sealing(row, puts.subList(from, to), points);
    }
  }

  /**
   * Writes rows, in calls of at most as many points as are permitted, or of one row. Of one that
   * the store refuses the points are written one by one; if it refuses them, too, the row stays
   * open, and the others are written. After another failure the rest stays open: it would fail as
   * slowly.
   *
   * @throws UnsealedRowsException if some were not written
   */
  void write(Collection<OpenRow> due) {
    reason = null;
    List<Sealing> batch = new ArrayList<>();
    int points = 0;
    for (OpenRow row : due) {
      Sealing next = sealing(row, maxCellBytes);
      if (!batch.isEmpty()
          && (points + next.points() > batchPoints || batch.size() == Limits.ROWS_PER_BATCH)) {
        writeBatch(List.copyOf(batch));
        batch.clear();
        points = 0;
        if (mustStop()) {
          break;
        }
      }
      batch.add(next);
      points += next.points();
    }
    if (!batch.isEmpty() && !mustStop()) {
      writeBatch(batch);
    }
    StoreException failure = reason;
    if (failure != null) {
      throw new UnsealedRowsException(due.stream().filter(row -> !row.isClosed()).count(), failure);
    }
  }

  private boolean mustStop() {
    StoreException failure = reason;
    return failure != null && failure.outcome() != Outcome.REJECTED;
  }

  private void stays(StoreException failure) {
    if (!mustStop()) {
      reason = failure;
    }
  }

  private void writeBatch(List<Sealing> batch) {
    List<Sealing> open = batch;
    List<Sealing> refused = new ArrayList<>();
    StoreException refusal = null;
    Set<OpenRow> shared = withOtherCells(rows(batch));
    Retry.Failures failures = head.retry().unless(isLate).failures();
    while (!open.isEmpty()) {
      List<Sealing> again = new ArrayList<>();
      StoreException thrown = null;
      try {
        mutate(open);
      } catch (IllegalArgumentException tooLarge) {
        // Before any effect: the rows together, or one of them, are beyond what the store takes.
        writeBatch(open.subList(0, open.size() / 2));
        if (!mustStop()) {
          writeBatch(open.subList(open.size() / 2, open.size()));
        }
        break;
      } catch (StoreException e) {
        int before = refused.size();
        divide(open, e, refused, again);
        if (refused.size() > before) {
          refusal = e; // the others were perhaps not written because of these
        } else {
          thrown = e;
        }
      }
      listener.sealed(rows(open), rows(Iterables.concat(refused, again)), shared);
      if (thrown != null && !again.isEmpty()) {
        try {
          failures.add(thrown);
        } catch (StoreException last) {
          stays(last);
          break;
        }
      }
      open = again;
    }
    if (refusal != null) {
      sealPoints(rows(refused), refusal);
    }
  }

  private static List<OpenRow> rows(Iterable<Sealing> batch) {
    return Lists.newArrayList(Iterables.transform(batch, Sealing::row));
  }

  /**
   * Makes one call of the store; several for a row that has more cells than one may change. Then
   * other calls of the row may fail after the first one: it stays open, and all are repeated.
   *
   * @throws IllegalArgumentException if there are several rows, and the store can't take them in
   *     one call
   * @throws StoreException REJECTED also if a row can't be divided further
   */
  private void mutate(List<Sealing> rows) {
    try {
      head.store()
          .mutate(head.points(), Lists.newArrayList(Lists.transform(rows, Sealing::mutation)));
    } catch (IllegalArgumentException e) {
      if (rows.size() > 1) {
        throw e;
      }
      Sealing row = rows.get(0);
      int puts = row.puts().size();
      if (puts == 1) {
        throw new StoreException(Outcome.REJECTED, String.valueOf(e.getMessage()), e);
      }
      mutate(List.of(row.part(0, puts / 2)));
      mutate(List.of(row.part(puts / 2, puts)));
    }
  }

  /**
   * Writes each point of rows as a cell of its own. A store needs not read what it has in order to
   * add these, so they can be added to a row that is corrupt there. Otherwise its points would stay
   * here, and all later records in the journal.
   */
  private void sealPoints(List<OpenRow> refused, StoreException refusal) {
    List<OpenRow> open = new ArrayList<>();
    for (OpenRow row : refused) {
      try {
        mutate(List.of(sealing(row, 1)));
      } catch (StoreException e) {
        open.add(row);
      }
    }
    if (open.size() < refused.size()) {
      int written = refused.size() - open.size();
      head.countRefused(written);
      LOG.log(
          Level.WARNING,
          "the points of {0} rows were written as separate cells, since the store refused the"
              + " rows: {1}",
          written,
          refusal.getMessage());
      listener.sealed(refused, open, ImmutableSet.copyOf(refused));
    }
    if (!open.isEmpty()) {
      stays(refusal);
    }
  }

  /**
   * The rows whose points are or will be in several cells. Of a row that was open when its hour
   * ended there are others if it was sealed early before: then it was among these, unless the
   * database was opened since, which is read from the store.
   */
  private Set<OpenRow> withOtherCells(List<OpenRow> batch) {
    long now = head.clock().millis();
    Set<OpenRow> shared = new HashSet<>();
    List<OpenRow> late = new ArrayList<>();
    for (OpenRow row : batch) {
      if (now < HeadShard.dueByHour(row)) {
        shared.add(row);
      } else if (row.openedAt() >= HeadShard.dueByHour(row) || head.beganLater(row)) {
        late.add(row);
      }
    }
    try {
      List<byte[]> keys = Lists.newArrayList(Lists.transform(late, OpenRow::key));
      List<Row> stored =
          late.isEmpty() ? List.of() : head.store().get(head.points(), keys, Columns.all());
      for (int i = 0; i < stored.size(); i++) {
        if (!stored.get(i).isEmpty()) {
          shared.add(late.get(i));
        }
      }
    } catch (StoreException e) {
      shared.addAll(late); // compaction finds out
    }
    return shared;
  }

  /** Divides the rows that were not written into those that were refused, and the others. */
  private static void divide(
      List<Sealing> batch, StoreException failure, List<Sealing> refused, List<Sealing> again) {
    for (int i = 0; i < batch.size(); i++) {
      Outcome outcome =
          failure instanceof BatchException parts ? parts.outcomes().get(i) : failure.outcome();
      if (outcome != null) {
        (outcome == Outcome.REJECTED ? refused : again).add(batch.get(i));
      }
    }
  }

  /** A row with puts of its points, in cells of at most this number of bytes or of one point. */
  private Sealing sealing(OpenRow row, int maxCellBytes) {
    OpenPoints points = requireNonNull(row.points(), "closed");
    List<Change> puts = new ArrayList<>(1);
    for (CompactedCell cell : points.cells(scratch, maxCellBytes)) {
      puts.add(new Change.Put(cell.qualifier(), cell.value()));
    }
    return new Sealing(row, puts, scratch.size());
  }
}
