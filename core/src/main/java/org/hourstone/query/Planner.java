package org.hourstone.query;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.RowFilter;
import org.hourstone.kv.RowPattern;
import org.hourstone.kv.RowPattern.Presence;
import org.hourstone.kv.RowPattern.Term;
import org.hourstone.kv.Scan;
import org.hourstone.uid.NoSuchNameException;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidTable;
import org.jspecify.annotations.Nullable;

/** Resolves a query's names and decides which rows to read. Stateless. */
final class Planner {
  private final UidTable uids;
  private final RowKey keys;
  private final boolean skipUnresolvedTagvs;

  Planner(UidTable uids, RowKey keys, boolean skipUnresolvedTagvs) {
    this.uids = uids;
    this.keys = keys;
    this.skipUnresolvedTagvs = skipUnresolvedTagvs;
  }

  /**
   * @throws NoSuchNameException if the metric, a tag name or, unless those are skipped, a tag value
   *     is unknown
   */
  Plan plan(Query query) {
    byte[] metric = uids.uid(UidKind.METRIC, query.metric());
    List<Term> terms = new ArrayList<>();
    List<TagFilter> byName = new ArrayList<>();
    TreeSet<Bytes> groupBy = new TreeSet<>();
    for (TagFilter filter : query.filters()) {
      byte[] tagk = uids.uid(UidKind.TAGK, filter.tagk());
      if (filter.groupBy()) {
        groupBy.add(new Bytes(tagk));
      }
      Term term = term(filter, tagk);
      if (term == null) {
        return new Plan(metric, List.of(), List.of(), List.of()); // no series can match
      }
      terms.add(term);
      if (filter instanceof TagFilter.Wildcard wildcard && !wildcard.matchesAll()) {
        byName.add(filter);
      }
    }
    List<byte[]> groups = groupBy.stream().map(Bytes::array).toList();
    return new Plan(metric, scans(query, metric, terms), byName, groups);
  }

  /** What a filter demands of row keys, or null if nothing can fulfil it. */
  private @Nullable Term term(TagFilter filter, byte[] tagk) {
    if (filter instanceof TagFilter.LiteralOr literal) {
      List<byte[]> values = new ArrayList<>();
      for (String value : literal.values()) {
        byte[] uid = uids.find(UidKind.TAGV, value);
        if (uid != null) {
          values.add(uid);
        } else if (!skipUnresolvedTagvs) {
          throw new NoSuchNameException(UidKind.TAGV, value);
        }
      }
      return values.isEmpty() ? null : new Term(tagk, Presence.ONE_OF, values);
    }
    return new Term(tagk, Presence.ANY_VALUE, List.of());
  }

  private List<Scan> scans(Query query, byte[] metric, List<Term> terms) {
    Schema schema = keys.schema();
    ScanRange range = ScanRange.of(query.startMillis(), query.endMillis(), query.downsample());
    RowFilter filter =
        terms.isEmpty() && !query.explicitTags()
            ? RowFilter.any()
            : new RowPattern(
                schema.tagsOffset(),
                schema.tagkWidth(),
                schema.tagvWidth(),
                terms,
                query.explicitTags());
    List<Scan> scans = new ArrayList<>();
    int buckets = schema.distinctSalts();
    for (int bucket = 0; bucket < buckets; bucket++) {
      byte[] start = bound(bucket, metric, range.startSeconds());
      byte[] stop = bound(bucket, metric, range.stopSeconds());
      scans.add(Scan.range(start, stop).filter(filter));
    }
    return scans;
  }

  /** Salt, metric and base time; beyond the last base time, what follows the metric's rows. */
  private byte[] bound(int bucket, byte[] metric, long seconds) {
    byte[] salt = keys.salt(bucket);
    byte[] key = Arrays.copyOf(salt, salt.length + metric.length + Schema.BASE_TIME_WIDTH);
    System.arraycopy(metric, 0, key, salt.length, metric.length);
    if (seconds > 0xFFFF_FFFFL) {
      Arrays.fill(key, salt.length + metric.length, key.length, (byte) 0xFF);
    } else {
      keys.setBaseTime(key, seconds);
    }
    return key;
  }
}
