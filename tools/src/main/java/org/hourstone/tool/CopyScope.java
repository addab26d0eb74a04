package org.hourstone.tool;

import java.util.List;
import java.util.function.Predicate;
import org.hourstone.kv.Scan;

/** The data to copy. */
public sealed interface CopyScope {
  /** All cells of all families. */
  record Everything() implements CopyScope {}

  /**
   * Rows of some series and hours, the global annotations of these hours, and the names and
   * metadata of these series.
   *
   * @param selected at least one
   */
  record Series(List<Selected> selected) implements CopyScope {
    public Series {
      if (selected.isEmpty()) {
        throw new IllegalArgumentException("no series selected");
      }
      selected = List.copyOf(selected);
    }
  }

  /**
   * Rows of the data table.
   *
   * @param scan its start and stop consist of salt, metric and base time
   * @param passes whether a row is selected, by its key
   */
  record Selected(Scan scan, Predicate<byte[]> passes) {}

  /** Everything. */
  static CopyScope everything() {
    return new Everything();
  }
}
