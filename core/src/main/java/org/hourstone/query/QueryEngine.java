package org.hourstone.query;

import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import org.hourstone.codec.RowKey;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidTable;
import org.jspecify.annotations.Nullable;

/** Answers queries over one data table. Thread-safe. */
public final class QueryEngine {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private final KeyValueReader store;
  private final Family family;
  private final RowKey keys;
  private final UidTable uids;
  private final QueryOptions options;
  private final RowListener listener;

  /**
   * @param family the data table's
   * @param listener is told of every row that is read
   */
  public QueryEngine(
      KeyValueReader store,
      Family family,
      RowKey keys,
      UidTable uids,
      QueryOptions options,
      RowListener listener) {
    this.store = store;
    this.family = family;
    this.keys = keys;
    this.uids = uids;
    this.options = options;
    this.listener = listener;
  }

  /**
   * Answers a query. Its rows are read before this returns; each group of series is put together
   * when the cursor comes to it.
   *
   * @throws org.hourstone.uid.NoSuchNameException if the metric, a tag name or a tag value it names
   *     is unknown
   * @throws org.hourstone.codec.CorruptDataException if a row is damaged, and damage is not to be
   *     passed over, or if it has conflicting points; naming it
   * @throws QueryLimitException if it reads more than is allowed
   * @throws org.hourstone.kv.StoreException if the store fails
   */
  public SeriesCursor run(Query query) {
    Plan plan = new Planner(uids, keys, options.skipUnresolvedTagvs()).plan(query);
    RowReader reader = new RowReader(store, family, keys, uids, options, listener, query, plan);
    List<FoundSeries> found = reader.read();
    Damage damage = reader.damage();
    Iterator<List<FoundSeries>> groups = Grouping.of(found, query, plan, keys).iterator();
    return new SeriesCursor() {
      @Override
      public @Nullable ResultSeries next() {
        return groups.hasNext() ? result(query, groups.next()) : null;
      }

      @Override
      public Damage damage() {
        return damage;
      }

      @Override
      public void close() {
        // All rows have been read: nothing is held.
      }
    };
  }

  /** The rows a query would read, all of the hours that it touches. Throws as {@link #run} does. */
  public RowSelection select(Query query) {
    Plan plan = new Planner(uids, keys, options.skipUnresolvedTagvs()).plan(query);
    return new RowSelection(
        plan.scans(),
        row -> !keys.isSeriesRow(row) || RowReader.passes(plan, keys, uids, keys.tsuid(row)));
  }

  private ResultSeries result(Query query, List<FoundSeries> group) {
    PointColumn points =
        Aggregation.of(
            query.aggregator(),
            options.earlyDoubles(),
            group.stream().map(FoundSeries::points).toList());
    GroupTags tags = GroupTags.of(group, keys, uids);
    int from = points.firstFrom(query.startMillis());
    int to = points.firstFrom(Math.addExact(Math.min(query.endMillis(), Long.MAX_VALUE - 1), 1));
    return new ResultSeries(
        uids.name(UidKind.METRIC, keys.metricOfTsuid(group.get(0).tsuid())),
        tags.equal(),
        tags.differing(),
        group.stream().map(series -> HEX.formatHex(series.tsuid())).sorted().toList(),
        points,
        from,
        to);
  }
}
