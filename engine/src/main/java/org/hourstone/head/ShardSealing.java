package org.hourstone.head;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.hourstone.internal.Deadline;
import org.hourstone.internal.ForeignCode;
import org.hourstone.kv.Family;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;

/**
 * Seals the rows of a shard, and ready-made cells. For the thread of the shard, except {@link
 * #closeBy}.
 *
 * <p>An open row leaves the head only after the data table has accepted its cells, or after its
 * failure was reported to all who wait for its points. It leaves in steps, of which the last one
 * removes it from the rows of the shard: {@link #recover} takes the steps that an error has left
 * out.
 */
final class ShardSealing {
  private final HeadParts head;
  private final WrittenRows written;
  private final RowSealer sealer;
  private final ShardRows rows;
  private final ShardRecords records;
  private final UnseenRows unseen;
  private final DueRows dueRows;

  /** Rows that are being sealed. */
  private List<OpenRow> due = List.of();

  /**
   * @param threads how many shards there are
   */
  ShardSealing(
      HeadParts head,
      int threads,
      WrittenRows written,
      WriteCounts counts,
      ShardRows rows,
      ShardRecords records,
      UnseenRows unseen,
      DueRows dueRows) {
    this.head = head;
    this.written = written;
    this.rows = rows;
    this.records = records;
    this.unseen = unseen;
    this.dueRows = dueRows;
    this.sealer = new RowSealer(head, threads, written, counts, new SealedRows());
  }

  /** As {@link RowSealer#closeBy}. */
  void closeBy(Deadline latest) {
    sealer.closeBy(latest);
  }

  boolean isClosing() {
    return sealer.isClosing();
  }

  boolean isLate() {
    return sealer.isLate();
  }

  /**
   * Seals rows.
   *
   * @throws StoreException if some could not be written; they stay open
   */
  void seal(Collection<OpenRow> found) {
    due = withPoints(found);
    if (due.isEmpty() && records.isMarked()) {
      records.failed(null);
      return;
    }
    try {
      records.mark();
      sealer.write(head.points(), due);
      records.failed(null);
    } catch (RuntimeException e) {
      records.failed(e);
      failDue(e);
      throw e;
    } finally {
      rows.report();
    }
    due = List.of();
  }

  /** Rows without those to which no point could be added, for example for lack of memory. */
  private List<OpenRow> withPoints(Collection<OpenRow> found) {
    List<OpenRow> all = new ArrayList<>(found.size());
    for (OpenRow row : found) {
      Waiting waiting = row.waiting();
      if (waiting != null && waiting.size() == 0) {
        forget(row);
      } else {
        all.add(row);
      }
    }
    return all;
  }

  /** Fails those who wait for rows that were being written; all of them are open. */
  private void failDue(RuntimeException reason) {
    for (OpenRow row : due) {
      if (row.waiting() != null) {
        sealer.fail(List.of(row), reason);
      }
    }
    due = List.of();
  }

  /** As {@link HeadShard#recover}. */
  void recover(boolean all, RuntimeException reason) {
    records.discard(true);
    if (all) {
      due = rows.all();
    }
    failDue(reason);
    for (OpenRow row : rows.all()) {
      if (row.isClosed()) {
        forget(row);
      }
    }
    rows.recount();
    dueRows.examineAll();
    records.forget();
  }

  /** Writes ready-made cells, and tells those who wait for them. */
  void write(Family family, Collection<? extends Sealable> cells) {
    sealer.write(family, cells);
  }

  /** Fails ready-made cells. */
  void fail(Collection<? extends Sealable> cells, RuntimeException reason) {
    sealer.fail(cells, reason);
  }

  private final class SealedRows implements RowSealer.Listener {
    /** Readers must not see a point as the newest once others may know that it is stored. */
    @Override
    public void applied(List<? extends Sealable> batch) {
      for (Sealable each : batch) {
        Waiting waiting = each.waiting();
        if (each instanceof OpenRow row && waiting != null && waiting.end() == waiting.size()) {
          rows.close(row);
        }
      }
    }

    @Override
    public void sealed(List<? extends Sealable> batch, Set<OpenRow> shared) {
      List<byte[]> toCompact = new ArrayList<>();
      int sealed = 0;
      boolean journaled = false;
      for (Sealable each : batch) {
        if (each instanceof OpenRow row && isOver(row)) {
          sealed++;
          journaled |= row.isJournaled();
          if (shared.contains(row)) {
            toCompact.add(row.key());
          }
          forget(row);
        }
      }
      head.sealed().add(sealed);
      if (journaled) {
        ForeignCode.run(() -> written.sealed(toCompact));
        records.mark();
      }
    }

    @Override
    public void failed(Sealable each) {
      if (each instanceof OpenRow row && isOver(row)) {
        forget(row);
      }
    }

    /** Whether no one waits for it any more. */
    private boolean isOver(OpenRow row) {
      Waiting waiting = row.waiting();
      return waiting == null || waiting.isOver();
    }
  }

  /** The data table has the row, or no one waits for it any more. */
  private void forget(OpenRow row) {
    rows.close(row);
    if (row.isJournaled()) {
      records.sealed(row);
    } else {
      dueRows.remove(row);
      unseen.remove(row);
    }
    head.rows().hide(row);
    rows.remove(row);
    row.release();
  }

  /** Another process seals the rows of the journal. */
  void lose() {
    rows.all().forEach(this::forget);
    records.lose();
    records.failed(null);
    rows.report();
  }

  /** Deletes records that aren't needed; records that can't be deleted now are deleted later. */
  void trim(boolean always) {
    if (!head.state().get().isJournaled()) {
      return;
    }
    try {
      head.journal().trim(always);
    } catch (StoreException e) {
      // The next trim deletes them.
      if (e.outcome() == Outcome.REJECTED) {
        throw e;
      }
    }
  }
}
