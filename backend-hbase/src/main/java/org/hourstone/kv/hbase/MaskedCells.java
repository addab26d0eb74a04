package org.hourstone.kv.hbase;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;

/**
 * Handles the markers of deletions for plain changes, so that nothing above the SPI depends on
 * them. {@link CellReplacement} handles its own.
 *
 * <p>A server dates a marker by its clock. The marker hides all cells dated up to that time, even a
 * cell that is put later in the same millisecond. It does not hide cells dated later, such as a
 * counter that is incremented more than once per millisecond.
 *
 * <ul>
 *   <li>A deletion returns after the server's clock has advanced, once for a whole batch, so that
 *       later writes are visible.
 *   <li>A deletion is sent after the times of the cells it deletes are over, and again if a cell is
 *       left.
 *   <li>A put with a time in the past is sent only if no marker would hide it, see {@link
 *       DatedPuts}.
 * </ul>
 *
 * <p>If this is not possible for one change of a row, nothing in the row is changed.
 */
final class MaskedCells {
  private final Reads reads;
  private final ServerClock clock;
  private final DatedPuts datedPuts;

  MaskedCells(Reads reads, ServerClock clock, DatedPuts datedPuts) {
    this.reads = reads;
    this.clock = clock;
    this.datedPuts = datedPuts;
  }

  /**
   * Makes changes.
   *
   * @param sender sends a batch of mutations, and throws the exceptions of a store
   */
  void mutate(Family family, List<RowMutation> batch, Consumer<List<RowMutation>> sender) {
    if (batch.isEmpty()) {
      reads.requireFamily(family);
    } else if (batch.stream().noneMatch(each -> isDeleting(each) || DatedPuts.isIn(each))) {
      sender.accept(batch);
    } else {
      BatchOutcomes outcomes = new BatchOutcomes(batch.size());
      List<RowMutation> dated = datedPuts.lowered(family, batch);
      Map<Integer, RowHistory> histories = datedPuts.histories(family, dated);
      datedPuts.refuse(family, dated, histories, outcomes);
      awaitAhead(family, dated, outcomes);
      send(dated, outcomes, sender);
      try {
        checkDeleted(family, dated, outcomes, sender);
        datedPuts.checkStored(family, dated, histories, outcomes);
      } catch (StoreException afterwards) {
        for (int i : outcomes.applied()) {
          if (isDeleting(batch.get(i)) || DatedPuts.isIn(batch.get(i))) {
            outcomes.set(i, HBaseErrors.afterwards(afterwards));
          }
        }
      }
      outcomes.report();
    }
  }

  private static boolean isDeleting(RowMutation mutation) {
    return mutation.changes().stream().anyMatch(MaskedCells::isDeletion);
  }

  private static boolean isDeletion(Change change) {
    return change instanceof Change.Delete || change instanceof Change.DeleteRow;
  }

  /** Waits until the times of the cells to delete are over; rejects deletions too far ahead. */
  private void awaitAhead(Family family, List<RowMutation> batch, BatchOutcomes outcomes) {
    List<Integer> deleting = deleting(batch, outcomes);
    List<Row> ahead =
        read(family, batch, deleting, row -> clock.known(family, row, Change.MAX_WRITE_TIME) + 1);
    for (int i = 0; i < ahead.size(); i++) {
      int place = deleting.get(i);
      try {
        boolean unused = awaitCells(family, ahead.get(i));
      } catch (StoreException failure) {
        outcomes.set(place, HBaseErrors.before(failure));
      }
    }
  }

  private static List<Integer> deleting(List<RowMutation> batch, BatchOutcomes outcomes) {
    return outcomes.applied().stream().filter(i -> isDeleting(batch.get(i))).toList();
  }

  /** The cells that mutations delete, dated from a time on. */
  private List<Row> read(
      Family family, List<RowMutation> batch, List<Integer> places, ToLongFunction<byte[]> from) {
    return places.isEmpty()
        ? List.of()
        : reads.get(
            family,
            places.stream()
                .map(batch::get)
                .map(
                    each ->
                        new Reads.Question(
                            each.row().clone(), deletedCells(each), from.applyAsLong(each.row())))
                .toList());
  }

  private static Columns deletedCells(RowMutation mutation) {
    return mutation.changes().get(0) instanceof Change.DeleteRow
        ? Columns.all()
        : Columns.exactly(
            mutation.changes().stream()
                .filter(MaskedCells::isDeletion)
                .map(Change::qualifier)
                .toArray(byte[][]::new));
  }

  private static void send(
      List<RowMutation> batch, BatchOutcomes outcomes, Consumer<List<RowMutation>> sender) {
    List<Integer> places = outcomes.applied();
    if (!places.isEmpty()) {
      try {
        sender.accept(places.stream().map(batch::get).toList());
      } catch (StoreException failure) {
        outcomes.set(places, failure);
      }
    }
  }

  /** Deletes the remains of deleted cells again, and waits until the clock has advanced. */
  private void checkDeleted(
      Family family,
      List<RowMutation> batch,
      BatchOutcomes outcomes,
      Consumer<List<RowMutation>> sender) {
    List<Integer> places = deleting(batch, outcomes);
    List<Row> rows = read(family, batch, places, row -> 0);
    Map<Integer, RowMutation> again = new LinkedHashMap<>();
    for (int i = 0; i < rows.size(); i++) {
      RowMutation mutation = batch.get(places.get(i));
      try {
        if (awaitCells(family, rows.get(i))) {
          List<Change> deletions =
              mutation.changes().stream().filter(MaskedCells::isDeletion).toList();
          again.put(places.get(i), new RowMutation(mutation.row(), deletions));
        }
      } catch (StoreException failure) {
        outcomes.set(places.get(i), HBaseErrors.afterwards(failure));
      }
    }
    if (!again.isEmpty()) {
      deleteAgain(again, outcomes, sender);
    }
    if (!places.isEmpty()) {
      clock.tick(family);
    }
  }

  /**
   * @param again the mutations by their positions in the batch; the sender's outcomes are not for
   *     the elements of the batch
   */
  private static void deleteAgain(
      Map<Integer, RowMutation> again, BatchOutcomes outcomes, Consumer<List<RowMutation>> sender) {
    try {
      sender.accept(List.copyOf(again.values()));
    } catch (StoreException failure) {
      again.keySet().forEach(i -> outcomes.set(i, HBaseErrors.afterwards(failure)));
    }
  }

  /**
   * Whether cells to be deleted are present; if so, waits until their times are over.
   *
   * @throws StoreException REJECTED if one is dated too far ahead to wait for
   */
  private boolean awaitCells(Family family, Row present) {
    long newest = -1;
    for (int i = 0; i < present.size(); i++) {
      newest = Math.max(newest, present.writeTime(i));
    }
    if (newest >= 0) {
      clock.awaitLater(family, present.key(), newest);
    }
    return newest >= 0;
  }
}
