package org.hourstone.rollup;

import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.hourstone.codec.CellKind;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.jspecify.annotations.Nullable;

/**
 * A store that marks the rows of points in hours that are rolled up before they change.
 * Thread-safe.
 */
public final class MarkingStore extends ForwardingStore {
  private volatile RolledHours hours;
  private final Family points;

  public MarkingStore(KeyValueStore delegate, RolledHours hours, Family points) {
    super(delegate);
    this.hours = hours;
    this.points = points;
  }

  /** The marks. */
  public RolledHours hours() {
    return hours;
  }

  /** Uses the marks of another database over the same store, before anything is written. */
  public void use(RolledHours other) {
    hours = other;
  }

  private <T> T changing(Family family, Supplier<Collection<byte[]>> rows, Supplier<T> change) {
    return changing(family, () -> List.of(), rows, change);
  }

  /**
   * @param deleted the rows in which points are deleted, and nothing stored
   * @param rows the others
   */
  private <T> T changing(
      Family family,
      Supplier<Collection<byte[]>> deleted,
      Supplier<Collection<byte[]>> rows,
      Supplier<T> change) {
    if (!family.equals(points)) {
      return change.get();
    }
    RolledHours now = hours;
    int begun = now.begin();
    try {
      if (now.isOn()) {
        now.markDeleted(deleted.get());
        now.mark(rows.get());
      }
      return change.get();
    } finally {
      now.end(begun);
    }
  }

  @Override
  public void mutate(Family family, List<RowMutation> batch) {
    Object unused =
        changing(
            family,
            () -> rows(batch, true),
            () -> rows(batch, false),
            () -> {
              super.mutate(family, batch);
              return family;
            });
  }

  private static List<byte[]> rows(List<RowMutation> batch, boolean deleted) {
    return batch.stream()
        .filter(row -> isDeletionOfPoints(row.changes()) == deleted)
        .map(RowMutation::row)
        .toList();
  }

  /** Not of annotations and histograms only, with which no value goes. */
  private static boolean isDeletionOfPoints(List<Change> changes) {
    boolean ofPoints = false;
    for (Change change : changes) {
      if (change instanceof Change.Delete cell) {
        ofPoints |= isOfPoints(CellKind.of(cell.qualifier()));
      } else if (change instanceof Change.DeleteRow) {
        ofPoints = true;
      } else {
        return false;
      }
    }
    return ofPoints;
  }

  private static boolean isOfPoints(CellKind kind) {
    return kind != CellKind.ANNOTATION && kind != CellKind.HISTOGRAM;
  }

  @Override
  public long increment(Family family, byte[] row, byte[] qualifier, long delta) {
    return changing(
        family, () -> List.of(row), () -> super.increment(family, row, qualifier, delta));
  }

  @Override
  public boolean compareAndSet(
      Family family,
      byte[] row,
      byte[] qualifier,
      byte @Nullable [] expected,
      byte @Nullable [] update) {
    return changing(
        family,
        () -> List.of(row),
        () -> super.compareAndSet(family, row, qualifier, expected, update));
  }

  @Override
  public List<Boolean> createCells(
      Family family, List<byte[]> rows, byte[] qualifier, List<byte[]> values) {
    return changing(
        family, () -> rows, () -> delegate().createCells(family, rows, qualifier, values));
  }

  @Override
  public boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
    List<byte[]> row = List.of(observed.key());
    boolean deleted =
        replacement.isEmpty()
            && IntStream.range(0, observed.size())
                .anyMatch(i -> isOfPoints(CellKind.of(observed.qualifier(i))));
    return changing(
        family,
        () -> deleted ? row : List.of(),
        () -> deleted ? List.of() : row,
        () -> super.replaceCells(family, observed, replacement));
  }
}
