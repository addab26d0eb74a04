package org.hourstone.head;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Iterables;
import com.google.common.collect.Lists;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
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
  private final BooleanSupplier isLate;
  private final Listener listener;
  private final RowPoints scratch = new RowPoints();

  /**
   * @param isLate whether no attempt at a call of the store is repeated any more
   */
  RowSealing(Head head, int maxCellBytes, BooleanSupplier isLate, Listener listener) {
    this.head = head;
    this.maxCellBytes = maxCellBytes;
    this.isLate = isLate;
    this.listener = listener;
  }

  /**
   * Writes rows. Of one that the store refuses the points are written one by one; if it refuses
   * them, too, the row stays open, and the others are written.
   *
   * @throws StoreException if some were not written
   */
  void write(List<OpenRow> batch) {
    List<OpenRow> open = batch;
    List<OpenRow> refused = new ArrayList<>();
    StoreException refusal = null;
    Set<OpenRow> shared = withOtherCells(batch);
    Retry.Failures failures = head.retry().unless(isLate).failures();
    while (!open.isEmpty()) {
      List<OpenRow> again = new ArrayList<>();
      StoreException thrown = null;
      try {
        head.store().mutate(head.points(), Lists.newArrayList(Lists.transform(open, this::cells)));
      } catch (StoreException e) {
        int before = refused.size();
        divide(open, e, refused, again);
        if (refused.size() > before) {
          refusal = e; // the others were perhaps not written because of these
        } else {
          thrown = e;
        }
      }
      listener.sealed(open, Iterables.concat(refused, again), shared);
      if (thrown != null && !again.isEmpty()) {
        try {
          failures.add(thrown);
        } catch (StoreException last) {
          throw unsealed(refused.size() + again.size(), last);
        }
      }
      open = again;
    }
    if (refusal != null) {
      sealPoints(refused, refusal);
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
        for (List<Change> puts : Lists.partition(puts(row, 1), Limits.CELLS_PER_ROW)) {
          head.store().mutate(head.points(), List.of(new RowMutation(row.key(), puts)));
        }
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
      throw unsealed(open.size(), refusal);
    }
  }

  private static StoreException unsealed(int rows, StoreException cause) {
    return new StoreException(
        cause.outcome(),
        rows
            + " rows stay in the head and its journal, since they can't be written: "
            + cause.getMessage(),
        cause);
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
      List<OpenRow> batch, StoreException failure, List<OpenRow> refused, List<OpenRow> again) {
    for (int i = 0; i < batch.size(); i++) {
      Outcome outcome =
          failure instanceof BatchException parts ? parts.outcomes().get(i) : failure.outcome();
      if (outcome != null) {
        (outcome == Outcome.REJECTED ? refused : again).add(batch.get(i));
      }
    }
  }

  private RowMutation cells(OpenRow row) {
    return new RowMutation(row.key(), puts(row, maxCellBytes));
  }

  /** Puts of its points, in cells of at most this number of bytes or of one point. */
  private List<Change> puts(OpenRow row, int maxCellBytes) {
    List<Change> puts = new ArrayList<>(1);
    OpenPoints points = requireNonNull(row.points(), "closed");
    for (CompactedCell cell : points.cells(scratch, maxCellBytes)) {
      puts.add(new Change.Put(cell.qualifier(), cell.value()));
    }
    return puts;
  }
}
