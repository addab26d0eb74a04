package org.hourstone.index;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.codec.TagPair;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.RowFilter;
import org.hourstone.kv.RowPattern;
import org.hourstone.kv.RowPattern.Presence;
import org.hourstone.kv.RowPattern.Term;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidTable;

/**
 * A {@link SeriesPattern} with its names resolved.
 *
 * @param metric the metric's UID; empty for any
 * @param terms the tags with names
 * @param values the values that the series must have under any names
 */
record UidPattern(byte[] metric, List<Term> terms, List<byte[]> values) {
  /**
   * @throws org.hourstone.uid.NoSuchNameException if a name is unknown
   */
  static UidPattern of(SeriesPattern pattern, UidTable uids) {
    byte[] metric = pattern.anyMetric() ? new byte[0] : uids.uid(UidKind.METRIC, pattern.metric());
    Map<Bytes, List<byte[]>> byName = new TreeMap<>();
    List<byte[]> values = new ArrayList<>();
    for (SeriesPattern.Tag tag : pattern.tags()) {
      byte[] tagv = tag.anyValue() ? null : uids.uid(UidKind.TAGV, tag.value());
      if (!tag.anyName()) {
        List<byte[]> alternatives =
            byName.computeIfAbsent(
                new Bytes(uids.uid(UidKind.TAGK, tag.name())), any -> new ArrayList<>());
        alternatives.add(tagv == null ? new byte[0] : tagv);
      } else if (tagv != null) {
        values.add(tagv);
      }
    }
    List<Term> terms = new ArrayList<>();
    byName.forEach((tagk, tagvs) -> terms.add(term(tagk.array(), tagvs)));
    return new UidPattern(metric, terms, values);
  }

  private static Term term(byte[] tagk, List<byte[]> tagvs) {
    return tagvs.stream().anyMatch(tagv -> tagv.length == 0)
        ? new Term(tagk, Presence.ANY_VALUE, List.of())
        : new Term(tagk, Presence.ONE_OF, tagvs);
  }

  List<Condition> conditions() {
    List<Condition> conditions = new ArrayList<>();
    for (Term term : terms) {
      conditions.add(
          term.presence() == Presence.ANY_VALUE
              ? new Condition.Present(term.key())
              : new Condition.AnyOf(term.key(), term.values()));
    }
    values.forEach(tagv -> conditions.add(new Condition.Value(tagv)));
    return conditions;
  }

  /**
   * A filter that all matching keys pass.
   *
   * @param skip the number of bytes that precede the tags in a key
   */
  RowFilter filter(Schema schema, int skip) {
    return new RowPattern(skip, schema.tagkWidth(), schema.tagvWidth(), terms, false);
  }

  /** Whether a series that passes the filter also has the values under any names. */
  boolean matches(RowKey keys, byte[] tsuid) {
    List<TagPair> tags = keys.tagsOfTsuid(tsuid);
    return values.stream()
        .allMatch(value -> tags.stream().anyMatch(tag -> Arrays.equals(tag.tagv(), value)));
  }
}
