package org.hourstone.index;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.codec.TagPair;
import org.hourstone.error.RequestException;
import org.hourstone.internal.Glob;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.RowFilter;
import org.hourstone.kv.RowPattern;
import org.hourstone.kv.RowPattern.Presence;
import org.hourstone.kv.RowPattern.Term;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidTable;
import org.jspecify.annotations.Nullable;

/**
 * A {@link SeriesPattern} with its names resolved.
 *
 * @param metric the metric's UID; empty for any
 * @param terms the tags with names
 * @param tests the values with stars that named tags must have
 * @param values the values that the series must have under any names
 */
record UidPattern(byte[] metric, List<Term> terms, List<Test> tests, List<AnyName> values) {
  /** A named tag has a value that passes a test or is listed. */
  record Test(byte[] tagk, ValueTest test) {}

  /** Some tag has one of the listed values, or one that passes the test. */
  record AnyName(List<byte[]> listed, @Nullable ValueTest test) {
    boolean matches(byte[] tagv) {
      return listed.stream().anyMatch(value -> Arrays.equals(value, tagv))
          || (test != null && test.passes(tagv));
    }
  }

  /**
   * @throws org.hourstone.uid.NoSuchNameException if a name is unknown
   */
  static UidPattern of(SeriesPattern pattern, UidTable uids) {
    byte[] metric = pattern.anyMetric() ? new byte[0] : uids.uid(UidKind.METRIC, pattern.metric());
    Map<Bytes, List<String>> byName = new TreeMap<>();
    List<AnyName> values = new ArrayList<>();
    for (SeriesPattern.Tag tag : pattern.tags()) {
      if (!tag.anyName()) {
        byName
            .computeIfAbsent(
                new Bytes(uids.uid(UidKind.TAGK, tag.name())), any -> new ArrayList<>())
            .add(tag.anyValue() ? "*" : tag.value());
      } else if (!tag.anyValue()) {
        values.add(
            tag.hasStar()
                ? new AnyName(List.of(), new ValueTest(tag.value(), uids))
                : new AnyName(listed(tag.value(), uids), null));
      }
    }
    List<Term> terms = new ArrayList<>();
    List<Test> tests = new ArrayList<>();
    byName.forEach((tagk, texts) -> add(tagk.array(), String.join("|", texts), uids, terms, tests));
    return new UidPattern(metric, terms, tests, values);
  }

  private static List<byte[]> listed(String values, UidTable uids) {
    List<String> alternatives = Glob.alternatives(values);
    if (alternatives.isEmpty()) {
      throw new RequestException("no tag value between the pipes of '" + values + "'");
    }
    return alternatives.stream().map(value -> uids.uid(UidKind.TAGV, value)).toList();
  }

  /** Adds the conditions on the values of a tag, of which one must be met. */
  private static void add(
      byte[] tagk, String values, UidTable uids, List<Term> terms, List<Test> tests) {
    if (values.indexOf('*') < 0) {
      terms.add(new Term(tagk, Presence.ONE_OF, listed(values, uids)));
      return;
    }
    terms.add(new Term(tagk, Presence.ANY_VALUE, List.of()));
    if (!Glob.alternatives(values).contains("*")) {
      tests.add(new Test(tagk, new ValueTest(values, uids)));
    }
  }

  List<Condition> conditions() {
    List<Condition> conditions = new ArrayList<>();
    for (Term term : terms) {
      conditions.add(
          term.presence() == Presence.ANY_VALUE
              ? new Condition.Present(term.key())
              : new Condition.AnyOf(term.key(), term.values()));
    }
    for (Test test : tests) {
      conditions.add(new Condition.Matching(test.tagk(), test.test()));
    }
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

  /** Whether a series that passes the filter also passes the tests, and has the other values. */
  boolean matches(RowKey keys, byte[] tsuid) {
    for (Test test : tests) {
      byte[] tagv = keys.tagvOfTsuid(tsuid, test.tagk());
      if (tagv == null || !test.test().passes(tagv)) {
        return false;
      }
    }
    if (values.isEmpty()) {
      return true;
    }
    List<TagPair> tags = keys.tagsOfTsuid(tsuid);
    return values.stream()
        .allMatch(value -> tags.stream().anyMatch(tag -> value.matches(tag.tagv())));
  }
}
