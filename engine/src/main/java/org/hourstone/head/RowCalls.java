package org.hourstone.head;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.hourstone.codec.RowPoints;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.HiddenPutsException;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The calls of the store that write rows, each in the form that its cells have now. Rows that are
 * appended to are prepared by {@link AppendOrder} first. For one thread.
 */
final class RowCalls {
  private final HeadParts head;
  private final CellOptions cells;
  private final @Nullable AppendOrder order;
  private final RowPoints scratch = new RowPoints();

  /**
   * @param remembered of how many rows it is known that they may be appended to
   */
  RowCalls(HeadParts head, int remembered) {
    this.head = head;
    this.cells = head.options().cells();
    this.order =
        cells.ordersAppends()
            ? new AppendOrder(head.store(), cells.maxBytes(), remembered, head.backoff())
            : null;
  }

  /** Makes one call of the store. Returns what it throws; null if it has accepted all. */
  @Nullable RuntimeException mutate(Family family, List<? extends Sealable> batch) {
    try {
      boolean appending = head.appending().get();
      List<RowMutation> mutations = new ArrayList<>(batch.size());
      for (Sealable row : batch) {
        mutations.add(
            new RowMutation(row.key(), row.changes(cells, form(row, appending), scratch)));
      }
      if (order != null && appending) {
        beforeAppends(order, family, mutations);
      }
      if (batch.size() == 1 && batch.get(0).waiting() == null) {
        mutateInParts(family, mutations.get(0));
      } else {
        head.store().mutate(family, mutations);
      }
      return null;
    } catch (RuntimeException e) {
      return e;
    }
  }

  /** The form in which a row is written now. */
  private CellForm form(Sealable row, boolean appending) {
    CellForm form = cells.form();
    boolean packs = form == CellForm.APPENDED ? !appending : row.waiting() == null;
    return packs ? CellForm.PACKED : form;
  }

  /**
   * Prepares rows for appends.
   *
   * @throws IllegalArgumentException as if the store did not take the rows together, if one of
   *     several can't be prepared in any case
   */
  private static void beforeAppends(AppendOrder order, Family family, List<RowMutation> rows) {
    try {
      order.beforeAppends(family, appended(rows));
    } catch (StoreException e) {
      if (e.outcome() == Outcome.REJECTED && rows.size() > 1) {
        throw new IllegalArgumentException("rows can't be appended to together", e);
      }
      throw e;
    }
  }

  private static List<byte[]> appended(List<RowMutation> mutations) {
    List<byte[]> rows = new ArrayList<>(mutations.size());
    for (RowMutation mutation : mutations) {
      if (mutation.changes().get(0) instanceof Change.Append) {
        rows.add(mutation.row());
      }
    }
    return rows;
  }

  /**
   * Makes several calls of the store for a row that has more cells than one may change. Then other
   * calls of the row may fail after the first one: it stays open, and all are repeated.
   *
   * @throws StoreException REJECTED also if a row can't be divided further
   */
  private void mutateInParts(Family family, RowMutation row) {
    try {
      head.store().mutate(family, List.of(row));
    } catch (IllegalArgumentException e) {
      List<Change> changes = row.changes();
      int half = changes.size() / 2;
      if (half == 0) {
        throw new StoreException(Outcome.REJECTED, String.valueOf(e.getMessage()), e);
      }
      mutateInParts(family, new RowMutation(row.row(), changes.subList(0, half)));
      mutateInParts(family, new RowMutation(row.row(), changes.subList(half, changes.size())));
    }
  }

  /**
   * Writes each point of a row as a cell of its own. A store needs not read what it has in order to
   * add these, so they can be added to a row that is corrupt there.
   *
   * @return how many points are left out, since they were deleted after they were accepted
   */
  int mutateSingly(Family family, OpenRow row) {
    List<Change> puts = row.changes(cells, CellForm.SINGLE, scratch);
    if (order != null) {
      order.forget(row.key());
    }
    int hidden = 0;
    while (!puts.isEmpty()) {
      try {
        mutateInParts(family, new RowMutation(row.key(), puts));
        break;
      } catch (HiddenPutsException e) {
        List<Change> rest = without(e.qualifiers(), puts);
        if (rest.size() == puts.size()) {
          throw e;
        }
        hidden += puts.size() - rest.size();
        puts = rest;
      }
    }
    return hidden;
  }

  private static List<Change> without(List<byte[]> qualifiers, List<Change> puts) {
    Set<Bytes> left = qualifiers.stream().map(Bytes::new).collect(Collectors.toSet());
    return puts.stream().filter(put -> !left.contains(new Bytes(put.qualifier()))).toList();
  }
}
