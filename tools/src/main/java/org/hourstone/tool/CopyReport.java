package org.hourstone.tool;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.hourstone.kv.Family;

/**
 * The result of a copy.
 *
 * @param families the counts by the source's family names
 */
public record CopyReport(SortedMap<Family, CopyCounts> families) {
  CopyReport(Map<Family, CopyCounts> families) {
    this(new TreeMap<>(families));
  }

  /** All families together. */
  public CopyCounts total() {
    return families.values().stream().reduce(CopyCounts.NOTHING, CopyCounts::plus);
  }
}
