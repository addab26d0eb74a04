package org.hourstone.tool;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.hourstone.kv.Family;
import org.hourstone.table.TableCheckpoint;

/** The counts of a copy, by the source's families. Thread-safe. */
final class CopyTally {
  /**
   * As a checkpoint has them.
   *
   * @param families by the family's text
   */
  record Saved(Map<String, CopyCounts> families) {}

  private final Map<Family, CopyCounts> counts = new TreeMap<>();
  private final Map<Family, CopyCounts> beside = new TreeMap<>();

  /** Continues with the counts of a checkpoint of a copy of these families. */
  void restore(TableCheckpoint from, Set<Family> families) {
    Map<String, CopyCounts> saved = from.counts(Saved.class).families;
    for (Family family : families) {
      CopyCounts before = saved.get(family.toString());
      if (before != null) {
        add(family, before);
      }
    }
  }

  synchronized void add(Family family, CopyCounts more) {
    counts.merge(family, more, CopyCounts::plus);
  }

  /**
   * Adds the counts of cells that do not belong to a range. A checkpoint does not have them, since
   * a run that continues copies such cells again.
   */
  synchronized void addBeside(Family family, CopyCounts more) {
    beside.merge(family, more, CopyCounts::plus);
  }

  synchronized Saved saved() {
    return new Saved(
        counts.entrySet().stream()
            .collect(Collectors.toMap(each -> each.getKey().toString(), Map.Entry::getValue)));
  }

  synchronized CopyReport report() {
    Map<Family, CopyCounts> all = new TreeMap<>(counts);
    beside.forEach((family, more) -> all.merge(family, more, CopyCounts::plus));
    return new CopyReport(all);
  }
}
