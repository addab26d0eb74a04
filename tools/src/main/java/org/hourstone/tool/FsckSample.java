package org.hourstone.tool;

import java.util.List;
import java.util.function.Predicate;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;

/**
 * A sample of rows across the table. Their keys show whether the settings match the data.
 *
 * @param seen the number of rows
 * @param unreadable the number of rows whose keys can't belong to a series or have a UID without a
 *     name
 * @param misplaced the number of rows that belong elsewhere
 */
record FsckSample(int seen, int unreadable, int misplaced) {
  private static final int WANTED = 1000;

  /** With fewer rows, the result may be a coincidence. */
  private static final int FEWEST_TO_JUDGE_BY = 20;

  /**
   * Reads the first rows of each scan, and more of them if most scans have no rows: if all rows
   * have the same salt, many appear correct with any number of buckets.
   */
  static FsckSample of(
      KeyValueReader store,
      Family family,
      List<Scan> scans,
      Predicate<byte[]> passes,
      RowFsck rows) {
    int each = Math.max(1, WANTED / Math.max(1, scans.size()));
    FsckSample sample = of(store, family, scans, passes, rows, each);
    for (int before = -1; sample.seen < WANTED && sample.seen > before && each < WANTED; ) {
      before = sample.seen;
      each *= 4;
      sample = of(store, family, scans, passes, rows, each);
    }
    return sample;
  }

  private static FsckSample of(
      KeyValueReader store,
      Family family,
      List<Scan> scans,
      Predicate<byte[]> passes,
      RowFsck rows,
      int each) {
    int seen = 0;
    int unreadable = 0;
    int misplaced = 0;
    for (Scan scan : scans) {
      try (RowCursor cursor = store.scan(family, scan.limit(each))) {
        for (Row row = cursor.next(); row != null; row = cursor.next()) {
          if (passes.test(row.key())) {
            seen++;
            if (rows.unreadable(row.key()) != null) {
              unreadable++;
            } else if (rows.isMisplaced(row.key())) {
              misplaced++;
            }
          }
        }
      }
    }
    return new FsckSample(seen, unreadable, misplaced);
  }

  boolean isMostUnreadable() {
    return seen >= FEWEST_TO_JUDGE_BY && unreadable * 2 > seen;
  }

  /**
   * Whether more than a quarter of the rows are misplaced: with a wrong number of buckets it is
   * half or more.
   */
  boolean areManyMisplaced() {
    return seen >= FEWEST_TO_JUDGE_BY && misplaced * 4 > seen;
  }
}
