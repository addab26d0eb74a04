package org.hourstone.kv.hbase;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.HiddenPutsException;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;

/**
 * Puts with a time in the past, which the marker of an earlier deletion may hide. Such a put would
 * be stored, and would become visible once HBase has removed the marker. So the row's history is
 * read first, and if a put would be hidden, nothing is sent for its row.
 *
 * <p>The row is not locked. If another client deletes the cell before the put arrives, the put is
 * hidden. So the put is read back: if it is present, it was stored. If it is absent, but a marker
 * for exactly its time has been written since, it was also stored, because only a client that has
 * seen the cell writes such a marker, after moving its value (compaction). Otherwise the outcome is
 * UNKNOWN.
 */
final class DatedPuts {
  private final Reads reads;
  private final ServerClock clock;
  private final KeptCells kept;
  private final HBaseErrors errors;

  DatedPuts(Reads reads, ServerClock clock, KeptCells kept, HBaseErrors errors) {
    this.reads = reads;
    this.clock = clock;
    this.kept = kept;
    this.errors = errors;
  }

  static boolean isIn(RowMutation mutation) {
    return of(mutation).findAny().isPresent();
  }

  private static Stream<Change.PutIfNewer> of(RowMutation mutation) {
    return mutation.changes().stream()
        .filter(Change.PutIfNewer.class::isInstance)
        .map(Change.PutIfNewer.class::cast);
  }

  /** The mutations, with the times of puts lowered to the clock of the row's server. */
  List<RowMutation> lowered(Family family, List<RowMutation> batch) {
    return batch.stream().map(each -> isIn(each) ? lowered(family, each) : each).toList();
  }

  private RowMutation lowered(Family family, RowMutation mutation) {
    long newest = of(mutation).mapToLong(Change.PutIfNewer::writeTime).max().orElse(0);
    if (newest <= clock.known(family, mutation.row(), newest)) {
      return mutation;
    }
    // Requested again, since a known time may be behind the times of cells already in the row.
    long now = clock.now(family, mutation.row(), newest);
    return new RowMutation(
        mutation.row(), mutation.changes().stream().map(each -> lowered(each, now)).toList());
  }

  private static Change lowered(Change change, long now) {
    return change instanceof Change.PutIfNewer put && put.writeTime() > now
        ? new Change.PutIfNewer(put.qualifier(), put.value(), now)
        : change;
  }

  /** The histories of the cells to put, by the positions of their mutations. */
  Map<Integer, RowHistory> histories(Family family, List<RowMutation> batch) {
    List<Integer> dated =
        IntStream.range(0, batch.size()).filter(i -> isIn(batch.get(i))).boxed().toList();
    List<RowHistory> read =
        dated.isEmpty()
            ? List.of()
            : RowHistory.read(
                reads, family, dated.stream().map(i -> question(batch.get(i))).toList());
    Map<Integer, RowHistory> histories = new LinkedHashMap<>();
    for (int i = 0; i < read.size(); i++) {
      histories.put(dated.get(i), read.get(i));
    }
    return histories;
  }

  private static Reads.Question question(RowMutation mutation) {
    return new Reads.Question(
        mutation.row().clone(),
        Columns.exactly(of(mutation).map(Change::qualifier).toArray(byte[][]::new)));
  }

  /** Rejects the mutations with a put that would not be visible. */
  void refuse(
      Family family,
      List<RowMutation> batch,
      Map<Integer, RowHistory> histories,
      BatchOutcomes outcomes) {
    if (histories.isEmpty()) {
      return;
    }
    KeptCells.Rules rules = kept.of(family);
    histories.forEach(
        (place, history) -> {
          RowMutation mutation = batch.get(place);
          long oldest = rules.oldest(clock.now(family, mutation.row()));
          List<Change.PutIfNewer> hidden =
              of(mutation)
                  .filter(
                      put ->
                          put.writeTime() < oldest
                              || (rules.hidesLaterPuts()
                                  && history.hides(put.qualifier(), put.writeTime())))
                  .toList();
          if (!hidden.isEmpty()) {
            outcomes.set(place, refusal(family, mutation.row(), hidden, oldest));
          }
        });
  }

  private StoreException refusal(
      Family family, byte[] row, List<Change.PutIfNewer> hidden, long oldest) {
    Change.PutIfNewer put = hidden.get(0);
    StoreException first =
        put.writeTime() < oldest
            ? errors.expired(family, row, put)
            : errors.hidden(family, row, put.qualifier(), put.writeTime());
    return new HiddenPutsException(
        String.valueOf(first.getMessage()), hidden.stream().map(Change::qualifier).toList());
  }

  /**
   * Reads back the puts that were sent.
   *
   * @param before the histories of their rows before the puts
   */
  void checkStored(
      Family family,
      List<RowMutation> batch,
      Map<Integer, RowHistory> before,
      BatchOutcomes outcomes) {
    List<Sent> sent = new ArrayList<>();
    before.forEach(
        (place, history) -> {
          if (outcomes.isApplied(place)) {
            sent.add(new Sent(place, batch.get(place), history));
          }
        });
    if (sent.isEmpty()) {
      return;
    }
    List<Row> rows = reads.get(family, sent.stream().map(each -> question(each.row())).toList());
    for (int i = 0; i < rows.size(); i++) {
      Row present = rows.get(i);
      List<Change.PutIfNewer> gone =
          of(sent.get(i).row()).filter(put -> !isThere(present, put)).toList();
      if (!gone.isEmpty()) {
        requireMoved(family, sent.get(i), gone, outcomes);
      }
    }
  }

  /** A mutation that was sent. */
  private record Sent(int place, RowMutation row, RowHistory before) {}

  private void requireMoved(
      Family family, Sent sent, List<Change.PutIfNewer> gone, BatchOutcomes outcomes) {
    RowHistory after = RowHistory.read(reads, family, List.of(question(sent.row()))).get(0);
    for (Change.PutIfNewer put : gone) {
      if (!wasMoved(sent.before(), after, put)) {
        outcomes.set(sent.place(), errors.gone(family, sent.row().row(), put));
      }
    }
  }

  private static boolean isThere(Row row, Change.PutIfNewer put) {
    int at = row.indexOf(put.qualifier());
    return at >= 0 && row.writeTime(at) >= put.writeTime();
  }

  private static boolean wasMoved(RowHistory before, RowHistory after, Change.PutIfNewer put) {
    return after.isDeletedAt(put.qualifier(), put.writeTime())
        && !before.isDeletedAt(put.qualifier(), put.writeTime())
        && !before.hasOther(put.qualifier(), put.writeTime(), put.value());
  }
}
