package org.hourstone.index;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Notices an index that is older than the data, before it is used or changed: each process that
 * knows of the index notes a UID in it before the UID gets its name, see {@link AssignedUids}.
 * Thread-safe.
 */
final class IndexAge {
  private static final System.Logger LOG = System.getLogger("org.hourstone.index");

  private final boolean on;
  private final IndexTable table;
  private final AssignedUids uids;
  private final Completeness completeness;
  private final AtomicReference<String> problem;

  /** Whether the index was compared with the UIDs. */
  private volatile boolean compared;

  /** Whether UIDs are noted; null if that is not known yet. */
  private volatile @Nullable Boolean notesUids;

  /**
   * @param on whether this process maintains the index
   * @param problem receives why it is not used
   */
  IndexAge(
      boolean on,
      IndexTable table,
      AssignedUids uids,
      Completeness completeness,
      AtomicReference<String> problem) {
    this.on = on;
    this.table = table;
    this.uids = uids;
    this.completeness = completeness;
    this.problem = problem;
  }

  /**
   * Once, before the index is used or changed: an index that is older than the data, such as a
   * backup of another night, is marked incomplete.
   */
  void compare() {
    if (!compared) {
      synchronized (this) {
        if (!compared) {
          String unknown = completeness.complete() == null ? null : uids.unknown();
          if (unknown != null) {
            problem.set("it is older than the UID of " + unknown);
            LOG.log(
                Level.WARNING,
                "the series index is older than the data, which have {0}: it is not used until it"
                    + " is rebuilt (hourstone index rebuild)",
                unknown);
            completeness.invalidate();
          }
          compared = true;
        }
      }
    }
  }

  /**
   * Called before cells of a family are put: UIDs that get names are noted first. Throws as a put
   * of a row does.
   */
  void beforeNames(Family family, List<RowMutation> batch) {
    if (!uids.areNamedIn(family)) {
      return;
    }
    List<byte[]> noted = new ArrayList<>();
    for (RowMutation mutation : batch) {
      for (Change change : mutation.changes()) {
        byte[] row =
            change instanceof Change.Delete || change instanceof Change.DeleteRow
                ? null
                : AssignedUids.row(mutation.row(), change.qualifier());
        if (row != null) {
          noted.add(row);
        }
      }
    }
    try {
      if (!noted.isEmpty() && notesUids()) {
        compare();
        table.putUids(noted);
      }
    } catch (StoreException e) {
      Outcome outcome = e.outcome() == Outcome.REJECTED ? e.outcome() : Outcome.NOT_APPLIED;
      throw new StoreException(outcome, "series index: " + e.getMessage(), e);
    }
  }

  /** Also if the index is off: it must not seem to be older than names of this process. */
  private boolean notesUids() {
    Boolean known = notesUids;
    if (known == null) {
      known = on || table.exists();
      notesUids = known;
    }
    return known;
  }
}
