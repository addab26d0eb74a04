package org.hourstone.query.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.TagPair;
import org.hourstone.kv.Bytes;
import org.hourstone.query.rows.SeriesState;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidTable;

/**
 * The tags of a group of series.
 *
 * @param equal names and values of the tags that have the same value in every series that has them
 * @param differing names of the others
 */
record GroupTags(Map<String, String> equal, List<String> differing) {
  /** In place of a UID: not all series have the same one. */
  private static final byte[] DIFFERENT = {};

  static GroupTags of(List<SeriesState> group, RowKey keys, UidTable uids) {
    TreeMap<Bytes, byte[]> values = new TreeMap<>();
    for (SeriesState series : group) {
      for (TagPair tag : keys.tagsOfTsuid(series.tsuid())) {
        values.merge(
            new Bytes(tag.tagk()),
            tag.tagv(),
            (one, other) -> Arrays.equals(one, other) ? one : DIFFERENT);
      }
    }
    Map<String, String> equal = new TreeMap<>();
    List<String> differing = new ArrayList<>();
    values.forEach(
        (tagk, tagv) -> {
          String name = uids.name(UidKind.TAGK, tagk.array());
          if (tagv == DIFFERENT) {
            differing.add(name);
          } else {
            equal.put(name, uids.name(UidKind.TAGV, tagv));
          }
        });
    return new GroupTags(equal, differing);
  }
}
