package org.hourstone.kv.hbase;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.hourstone.kv.BatchException;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Handles the markers of deletions for plain changes, so that nothing above the SPI depends on
 * them. {@link CellReplacement} handles its own.
 *
 * <p>A server dates a marker by its clock. The marker hides all cells dated up to then, even one
 * put later in the same millisecond. It does not hide cells dated later, such as a counter that is
 * increased more than once a millisecond.
 *
 * <ul>
 *   <li>A deletion returns when the server's clock has advanced, once for a whole batch. Later
 *       writes are visible.
 *   <li>Before, the deleted cells are read. One that is left is deleted again once its time is
 *       over.
 *   <li>A put with a time in the past is read back. If it is hidden it is REJECTED.
 * </ul>
 */
final class MaskedCells {
  private final Reads reads;
  private final ServerClock clock;
  private final HBaseErrors errors;

  MaskedCells(Reads reads, ServerClock clock, HBaseErrors errors) {
    this.reads = reads;
    this.clock = clock;
    this.errors = errors;
  }

  /**
   * Makes changes.
   *
   * @param sender makes a batch of them, and throws as a store does
   */
  void mutate(Family family, List<RowMutation> batch, Consumer<List<RowMutation>> sender) {
    if (batch.isEmpty()) {
      reads.requireFamily(family);
    } else if (batch.stream().noneMatch(MaskedCells::isAffected)) {
      sender.accept(batch);
    } else {
      long now = clock.now(family, batch.get(0).row());
      Outcomes outcomes = new Outcomes(batch.size());
      try {
        sender.accept(batch.stream().map(each -> datedUpTo(now, each)).toList());
      } catch (BatchException partial) {
        outcomes.take(partial);
      }
      try {
        check(family, now, batch, outcomes, sender);
      } catch (StoreException afterwards) {
        for (int i = 0; i < batch.size(); i++) {
          if (isAffected(batch.get(i)) && outcomes.isApplied(i)) {
            outcomes.set(i, HBaseErrors.afterwards(afterwards));
          }
        }
      }
      outcomes.report();
    }
  }

  private static boolean isAffected(RowMutation mutation) {
    return mutation.changes().stream()
        .anyMatch(change -> isDeletion(change) || change instanceof Change.PutIfNewer);
  }

  private static boolean isDeletion(Change change) {
    return change instanceof Change.Delete || change instanceof Change.DeleteRow;
  }

  private static RowMutation datedUpTo(long now, RowMutation mutation) {
    return new RowMutation(
        mutation.row(), mutation.changes().stream().map(each -> datedUpTo(now, each)).toList());
  }

  private static Change datedUpTo(long now, Change change) {
    return change instanceof Change.PutIfNewer put && put.writeTime() > now
        ? new Change.PutIfNewer(put.qualifier(), put.value(), now)
        : change;
  }

  /**
   * Reads deleted and dated cells, deletes remaining ones again, and waits until the clock has
   * advanced.
   */
  private void check(
      Family family,
      long now,
      List<RowMutation> batch,
      Outcomes outcomes,
      Consumer<List<RowMutation>> sender) {
    List<Integer> affected = new ArrayList<>();
    List<Reads.Question> questions = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      if (isAffected(batch.get(i)) && outcomes.isApplied(i)) {
        affected.add(i);
        questions.add(new Reads.Question(batch.get(i).row().clone(), affectedCells(batch.get(i))));
      }
    }
    if (affected.isEmpty()) {
      return;
    }
    List<Row> rows = reads.get(family, questions);
    Map<Integer, RowMutation> again = new LinkedHashMap<>();
    boolean deleted = false;
    for (int i = 0; i < rows.size(); i++) {
      RowMutation mutation = batch.get(affected.get(i));
      List<Change> deletions = mutation.changes().stream().filter(MaskedCells::isDeletion).toList();
      deleted |= !deletions.isEmpty();
      try {
        requireVisible(family, now, mutation, rows.get(i));
        if (awaitLeft(family, deletions, rows.get(i))) {
          again.put(affected.get(i), new RowMutation(mutation.row(), deletions));
        }
      } catch (StoreException failure) {
        outcomes.set(affected.get(i), HBaseErrors.unknown(failure));
      }
    }
    if (!again.isEmpty()) {
      deleteAgain(again, outcomes, sender);
    }
    if (deleted) {
      clock.tick(family);
    }
  }

  /**
   * @param again by their places in the batch, for whose elements the sender's outcomes are not
   */
  private static void deleteAgain(
      Map<Integer, RowMutation> again, Outcomes outcomes, Consumer<List<RowMutation>> sender) {
    try {
      sender.accept(List.copyOf(again.values()));
    } catch (StoreException failure) {
      again.keySet().forEach(i -> outcomes.set(i, HBaseErrors.afterwards(failure)));
    }
  }

  private static Columns affectedCells(RowMutation mutation) {
    return mutation.changes().get(0) instanceof Change.DeleteRow
        ? Columns.all()
        : Columns.exactly(
            mutation.changes().stream()
                .filter(change -> isDeletion(change) || change instanceof Change.PutIfNewer)
                .map(Change::qualifier)
                .toArray(byte[][]::new));
  }

  private void requireVisible(Family family, long now, RowMutation mutation, Row present) {
    for (Change change : mutation.changes()) {
      if (change instanceof Change.PutIfNewer put) {
        long time = Math.min(now, put.writeTime());
        int at = present.indexOf(put.qualifier());
        if (at < 0 || present.writeTime(at) < time) {
          throw errors.hidden(family, mutation.row(), put.qualifier(), time);
        }
      }
    }
  }

  /** Whether deleted cells are present; their time is over then. */
  private boolean awaitLeft(Family family, List<Change> deletions, Row present) {
    long newest = -1;
    for (int i = 0; i < present.size(); i++) {
      byte[] qualifier = present.qualifier(i);
      for (Change deletion : deletions) {
        if (deletion instanceof Change.DeleteRow
            || Arrays.equals(deletion.qualifier(), qualifier)) {
          newest = Math.max(newest, present.writeTime(i));
        }
      }
    }
    if (newest >= 0) {
      clock.awaitLater(family, present.key(), newest);
    }
    return newest >= 0;
  }

  /** The outcomes of the elements of a batch. */
  private static final class Outcomes {
    private final List<@Nullable Outcome> outcomes = new ArrayList<>();
    private @Nullable StoreException first;

    Outcomes(int size) {
      for (int i = 0; i < size; i++) {
        outcomes.add(null);
      }
    }

    void take(BatchException partial) {
      for (int i = 0; i < outcomes.size(); i++) {
        outcomes.set(i, partial.outcomes().get(i));
      }
      first = partial;
    }

    boolean isApplied(int i) {
      return outcomes.get(i) == null;
    }

    void set(int i, StoreException failure) {
      outcomes.set(i, failure.outcome());
      first = first == null ? failure : first;
    }

    void report() {
      if (first == null) {
        return;
      }
      if (outcomes.stream().distinct().count() == 1 && !(first instanceof BatchException)) {
        throw first;
      }
      String message = String.valueOf(first.getMessage());
      throw new BatchException(
          first instanceof BatchException ? message : message + ", and not all of the batch",
          outcomes,
          first);
    }
  }
}
