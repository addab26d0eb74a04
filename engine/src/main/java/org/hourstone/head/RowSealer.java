package org.hourstone.head;

import com.google.common.collect.ImmutableSet;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.hourstone.internal.Deadline;
import org.hourstone.internal.ForeignCode;
import org.hourstone.kv.Family;
import org.hourstone.kv.Limits;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows to the store, repeatedly while the store says that may help. Those who wait for a row
 * are notified once: that it is stored, or why it is not. A row that the journal has is reported as
 * sealed only after the store has accepted all of its cells; until then it stays open. Of rows that
 * are refused together only those fail or stay that are refused alone; of points that are dated by
 * themselves, only those. An error is thrown. For one thread, except {@link #closeBy}.
 */
final class RowSealer {
  /** Is notified of rows. */
  interface Listener {
    /** The store has accepted rows; those who wait are not notified yet. */
    void applied(List<? extends Sealable> rows);

    /**
     * They are notified. Called before other rows are written.
     *
     * @param rows that the store has accepted
     * @param shared the rows among them whose points are or will be in several cells
     */
    void sealed(List<? extends Sealable> rows, Set<OpenRow> shared);

    /** Those who wait for a row were notified that it is not written. */
    void failed(Sealable row);
  }

  private static final System.Logger LOG = System.getLogger("org.hourstone.head");

  private final HeadParts head;
  private final HeadOptions.Sealing options;
  private final CellOptions cells;
  private final WrittenRows written;
  private final WriteCounts counts;
  private final Listener listener;
  private final RowCalls calls;
  private final RowsWithOtherCells rowsWithOtherCells;

  /** Until when batches are still offered to the store, while closing; null before. */
  private volatile @Nullable Deadline deadline;

  /** Whether the last batch was given up after all its attempts, and nothing of it was applied. */
  private boolean storeFails;

  /** Why rows of the present call stay open; null if none do. */
  private @Nullable StoreException reason;

  RowSealer(
      HeadParts head, int threads, WrittenRows written, WriteCounts counts, Listener listener) {
    this.head = head;
    this.options = head.options().sealing();
    this.cells = head.options().cells();
    this.written = written;
    this.counts = counts;
    this.listener = listener;
    this.rowsWithOtherCells = new RowsWithOtherCells(head);
    this.calls = new RowCalls(head, Math.max(1, options.rememberedRows() / threads));
  }

  /**
   * Rows that others wait for and that are not written by then fail; of others no attempt is
   * repeated. Once a batch has used up its attempts, each later batch has one attempt until one
   * succeeds.
   */
  void closeBy(Deadline latest) {
    deadline = latest;
  }

  boolean isClosing() {
    return deadline != null;
  }

  boolean isLate() {
    Deadline latest = deadline;
    return latest != null && latest.isOver(head.clock());
  }

  /**
   * Writes rows, all different, in calls of at most as many points as are permitted, or of one row.
   * If one stays open for another reason than that it is refused, the rest does, too: it would fail
   * as slowly.
   *
   * @throws UnsealedRowsException if some stay open
   */
  void write(Family family, Collection<? extends Sealable> due) {
    reason = null;
    List<Sealable> batch = new ArrayList<>();
    int size = 0;
    for (Sealable next : due) {
      int more = next.size();
      if (!batch.isEmpty()
          && (size + more > options.batchPoints() || batch.size() == Limits.ROWS_PER_BATCH)) {
        writeBatch(family, List.copyOf(batch));
        batch.clear();
        size = 0;
        if (mustStop()) {
          break;
        }
      }
      batch.add(next);
      size += more;
    }
    if (!batch.isEmpty() && !mustStop()) {
      writeBatch(family, batch);
    }
    StoreException failure = reason;
    if (failure != null) {
      throw new UnsealedRowsException(
          due.stream().filter(row -> row instanceof OpenRow open && !open.isClosed()).count(),
          failure);
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

  private void writeBatch(Family family, List<? extends Sealable> batch) {
    Set<OpenRow> shared = rowsWithOtherCells.among(batch);
    List<? extends Sealable> left = batch;
    StoreException unknown = null;
    int failures = 0;
    while (true) {
      left = isLate() ? giveUp(left) : left;
      if (left.isEmpty()) {
        return;
      }
      boolean once = storeFails && (isClosing() || allGiveUpSoon(left));
      int attempts = once || isLate() ? 1 : options.attempts();
      RuntimeException thrown = calls.mutate(family, left);
      if (thrown instanceof IllegalArgumentException && left.size() > 1) {
        // Before any effect: the store takes the rows together, or one of them, in no case.
        writeBatch(family, left.subList(0, left.size() / 2));
        if (!mustStop()) {
          writeBatch(family, left.subList(left.size() / 2, left.size()));
        }
        return;
      }
      if (thrown != null && !(thrown instanceof StoreException)) {
        fail(left, thrown);
        return;
      }
      SealingAttempt attempt = new SealingAttempt(left, (StoreException) thrown);
      applied(attempt.rows(null), shared);
      List<Sealable> refused = attempt.rows(Outcome.REJECTED);
      // The others were perhaps not written because of those that are refused.
      failures += refused.isEmpty() ? 1 : 0;
      boolean isLast = refused.isEmpty() && failures >= attempts;
      storeFails = attempt.rows(null).isEmpty() && (isLast || storeFails);
      StoreException failure = attempt.failure();
      if (failure == null) {
        return;
      }
      refused(family, refused, failure);
      unknown = failure.outcome() == Outcome.UNKNOWN ? failure : unknown;
      left = isLast ? giveUp(attempt, unknown == null ? failure : unknown) : attempt.unapplied();
      if (!left.isEmpty() && refused.isEmpty()) {
        head.backoff().pause(failures);
      }
    }
  }

  /**
   * Whether no one waits for them who needs more attempts after a batch that has used up its own.
   */
  private static boolean allGiveUpSoon(List<? extends Sealable> rows) {
    for (Sealable row : rows) {
      Waiting waiting = row.waiting();
      if (waiting == null || !waiting.allGiveUpSoon()) {
        return false;
      }
    }
    return true;
  }

  /** No attempt is left. */
  private List<Sealable> giveUp(SealingAttempt attempt, StoreException failure) {
    for (int i = 0; i < attempt.batch().size(); i++) {
      Outcome outcome = attempt.outcome(i);
      if (outcome != null && outcome != Outcome.REJECTED) {
        Sealable row = attempt.batch().get(i);
        Waiting waiting = row.waiting();
        if (waiting == null) {
          stays(failure);
        } else {
          fail(row, waiting, waiting.failure(outcome, failure));
        }
      }
    }
    return List.of();
  }

  /** No time is left for those that others wait for; returns the rest. */
  private List<Sealable> giveUp(List<? extends Sealable> rows) {
    StoreException late =
        new StoreException(Outcome.NOT_APPLIED, "not written before the deadline of closing");
    List<Sealable> rest = new ArrayList<>();
    for (Sealable row : rows) {
      Waiting waiting = row.waiting();
      if (waiting == null) {
        rest.add(row);
      } else {
        fail(row, waiting, waiting.failure(Outcome.NOT_APPLIED, late));
      }
    }
    return rest;
  }

  /**
   * Fails rows, whose outcome is unknown.
   *
   * @throws RuntimeException the reason, if there are rows that stay open
   */
  void fail(Collection<? extends Sealable> rows, RuntimeException failure) {
    boolean stay = false;
    for (Sealable row : rows) {
      Waiting waiting = row.waiting();
      if (waiting == null) {
        stay = true;
      } else {
        fail(row, waiting, failure);
      }
    }
    if (stay) {
      throw failure;
    }
  }

  private void fail(Sealable row, Waiting waiting, RuntimeException failure) {
    counts.addFailed(waiting.pending(), failure);
    waiting.failed(failure);
    listener.failed(row);
  }

  private void applied(List<Sealable> rows, Set<OpenRow> shared) {
    if (rows.isEmpty()) {
      return;
    }
    List<byte[]> keys = new ArrayList<>(rows.size());
    List<Integer> points = new ArrayList<>(rows.size());
    for (Sealable row : rows) {
      if (row.points() > 0) {
        keys.add(row.key());
        points.add(row.points());
      }
    }
    if (!keys.isEmpty()) {
      ForeignCode.run(() -> written.written(keys, points));
    }
    listener.applied(rows);
    for (Sealable row : rows) {
      Waiting waiting = row.waiting();
      if (waiting != null) {
        counts.addStored(waiting.pending());
        waiting.stored();
      }
    }
    listener.sealed(rows, shared);
  }

  private void refused(Family family, List<Sealable> rows, StoreException refusal) {
    List<OpenRow> journaled = new ArrayList<>();
    for (Sealable row : rows) {
      Waiting waiting = row.waiting();
      if (waiting == null) {
        journaled.add((OpenRow) row);
      } else if (cells.dated() && row.points() > 1) {
        writeHalves(family, row, waiting);
      } else {
        fail(row, waiting, waiting.failure(Outcome.REJECTED, refusal));
      }
    }
    if (!journaled.isEmpty()) {
      sealPoints(journaled, refusal);
    }
  }

  /** Nothing of the row was applied, because of some of its points: the others must not fail. */
  private void writeHalves(Family family, Sealable row, Waiting waiting) {
    int end = waiting.end();
    try {
      waiting.endAt(waiting.begin() + waiting.pending() / 2);
      writeBatch(family, List.of(row));
    } finally {
      waiting.endAt(end); // whatever ends the thread must fail all that are left
    }
    writeBatch(family, List.of(row));
  }

  /**
   * Writes each point of rows as a cell of its own. A store needs not read what it has in order to
   * add these, so they can be added to a row that is corrupt there. Otherwise its points would stay
   * here, and all later records in the journal. Points that another process has deleted since they
   * were accepted are left out, where the store remembers that.
   */
  private void sealPoints(List<OpenRow> refused, StoreException refusal) {
    List<OpenRow> sealed = new ArrayList<>();
    int hidden = 0;
    for (OpenRow row : refused) {
      try {
        hidden += calls.mutateSingly(head.points(), row);
        sealed.add(row);
      } catch (StoreException e) {
        stays(refusal);
      }
    }
    if (!sealed.isEmpty()) {
      head.refused().add(sealed.size());
      LOG.log(
          Level.WARNING,
          "the points of {0} rows were written as separate cells, since the store refused the"
              + " rows: {1}",
          sealed.size(),
          refusal.getMessage());
      if (hidden > 0) {
        head.hidden().add(hidden);
        LOG.log(
            Level.WARNING,
            "{0} of these points were left out, since they were deleted before they were written",
            hidden);
      }
      listener.sealed(sealed, ImmutableSet.copyOf(sealed));
    }
  }
}
