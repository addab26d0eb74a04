package org.hourstone.tool;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.kv.Columns;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.tool.CopyOptions.Policy;

/**
 * Writes rows of the source to the target, reads them back and compares every cell. May be repeated
 * for the same rows. Thread-safe.
 */
final class RowCopy {
  private final KeyValueStore to;
  private final UidClaims claims;
  private final CopyListener listener;
  private final boolean verifyOnly;

  RowCopy(KeyValueStore to, UidClaims claims, CopyListener listener, boolean verifyOnly) {
    this.to = to;
    this.claims = claims;
    this.listener = listener;
    this.verifyOnly = verifyOnly;
  }

  /**
   * Copies rows, which are few enough to be in memory twice.
   *
   * @param nothingThere whether the target is known to have none of these rows
   * @throws CopyException if one is not in the target afterwards as it should be
   */
  CopyCounts copy(CopyFamily family, List<Row> rows, boolean nothingThere, Policy policy) {
    List<Row> before = nothingThere ? List.of() : read(family, rows);
    List<RowMerge> merges = new ArrayList<>(rows.size());
    for (int i = 0; i < rows.size(); i++) {
      Row source = rows.get(i);
      Row target = nothingThere ? Row.empty(source.key()) : before.get(i);
      merges.add(new RowMerge(family, source, target, policy));
    }
    CopyCounts counts = CopyCounts.NOTHING;
    if (verifyOnly) {
      for (RowMerge merge : merges) {
        counts = counts.plus(merge.compare(listener::differs));
      }
      return counts;
    }
    List<Row> after = write(family, merges) ? read(family, rows) : before;
    for (int i = 0; i < merges.size(); i++) {
      counts = counts.plus(merges.get(i).verify(after.get(i), listener::differs));
    }
    return counts;
  }

  private List<Row> read(CopyFamily family, List<Row> rows) {
    return to.get(family.to(), rows.stream().map(Row::key).toList(), Columns.all());
  }

  /** Returns whether anything was to do. */
  private boolean write(CopyFamily family, List<RowMerge> merges) {
    boolean any = false;
    RowPuts puts = new RowPuts(to, family.to());
    for (RowMerge merge : merges) {
      if (!merge.changesAnything()) {
        continue;
      }
      any = true;
      Row source = merge.source();
      for (int i : merge.claims()) {
        claims.claim(family, source.key(), source.qualifier(i), source.value(i));
      }
      puts.add(source.key(), merge.puts());
      Row replaced = merge.replaced();
      if (!replaced.isEmpty()) {
        to.replaceCells(family.to(), replaced, merge.replacements());
      }
    }
    puts.flush();
    return any;
  }
}
