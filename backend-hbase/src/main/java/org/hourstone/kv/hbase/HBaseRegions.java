package org.hourstone.kv.hbase;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Family;
import org.hourstone.kv.Row;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.TableRegions;
import org.jspecify.annotations.Nullable;

/** Regions as hbase:meta lists them, with the figures of their servers. */
final class HBaseRegions implements TableRegions {
  private static final int KEYS_PER_FETCH = 10_000;

  private final AsyncConnection connection;
  private final Names names;
  private final InFlightCalls calls;
  private final Duration timeout;
  private final BiFunction<TableName, Scan, ResultScanner> scanners;
  private final ScanTotals totals;

  /**
   * @param timeout for how long to wait for a key, if scanners fail before
   * @param scanners opens them
   */
  HBaseRegions(
      AsyncConnection connection,
      Names names,
      InFlightCalls calls,
      Duration timeout,
      BiFunction<TableName, Scan, ResultScanner> scanners,
      ScanTotals totals) {
    this.connection = connection;
    this.names = names;
    this.calls = calls;
    this.timeout = timeout;
    this.scanners = scanners;
    this.totals = totals;
  }

  @Override
  public List<Region> regions(String table) {
    return calls.call(() -> read(names.table(table)));
  }

  private List<Region> read(TableName table) {
    List<HRegionLocation> locations =
        await(
            connection.getRegionLocator(table).getAllRegionLocations(),
            "cannot read the regions of table " + table);
    Map<Bytes, RegionMetrics> figures = new HashMap<>();
    for (ServerName server :
        locations.stream().map(HRegionLocation::getServerName).distinct().toList()) {
      if (server != null) { // a region that moves has none
        await(
                connection.getAdmin().getRegionMetrics(server, table),
                "cannot read the figures of server " + server.getAddress())
            .forEach(each -> figures.put(new Bytes(each.getRegionName()), each));
      }
    }
    List<Region> regions = new ArrayList<>();
    for (HRegionLocation location : locations) {
      RegionInfo region = location.getRegion();
      regions.add(
          region(region, location.getServerName(), figures.get(new Bytes(region.getRegionName()))));
    }
    regions.sort((a, b) -> Arrays.compareUnsigned(a.start(), b.start()));
    return List.copyOf(regions);
  }

  private static Region region(
      RegionInfo region, @Nullable ServerName server, @Nullable RegionMetrics figures) {
    byte[] end = region.getEndKey();
    return new Region(
        region.getStartKey(),
        end.length == 0 ? null : end,
        server == null ? "" : server.getAddress().toString(),
        figures == null ? 0 : bytes(figures.getStoreFileSize()) + bytes(figures.getMemStoreSize()),
        figures == null ? 0 : figures.getReadRequestCount(),
        figures == null ? 0 : figures.getWriteRequestCount());
  }

  private static long bytes(Size size) {
    return (long) size.get(Size.Unit.BYTE);
  }

  @Override
  public void forEachKey(
      String table, byte[] start, byte @Nullable [] stop, Consumer<byte[]> action) {
    TableName name = names.table(table);
    org.hourstone.kv.Scan range = org.hourstone.kv.Scan.range(start, stop);
    try (HBaseCursor keys =
        new HBaseCursor(
            calls,
            names.errors(),
            new Family(table, "*"),
            range,
            timeout,
            (after, limit) -> scanners.apply(name, keys(range, after)),
            totals,
            closed -> {})) {
      for (Row row = keys.next(); row != null; row = keys.next()) {
        action.accept(row.key());
      }
    }
  }

  private static Scan keys(org.hourstone.kv.Scan range, byte @Nullable [] after) {
    Scan keys =
        new Scan()
            .withStartRow(after == null ? range.start() : after, after == null)
            .setFilter(new FilterList(new FirstKeyOnlyFilter(), new KeyOnlyFilter()))
            .setCaching(KEYS_PER_FETCH)
            .setCacheBlocks(false); // what is read all the time shall stay in the cache
    byte[] stop = range.stop();
    return stop == null ? keys : keys.withStopRow(stop);
  }

  @Override
  public void split(String table, byte[] key) {
    TableName name = names.table(table);
    byte[] first = key.clone();
    calls.run(
        () -> {
          String what = "cannot split table " + name + " at " + new Bytes(first);
          RegionInfo whole =
              await(connection.getRegionLocator(name).getRegionLocation(first, true), what)
                  .getRegion();
          var unused =
              calls.await(
                  connection
                      .getAdmin()
                      .splitRegion(whole.getRegionName(), first)
                      .thenApply(done -> true),
                  failure ->
                      new StoreException(
                          HBaseErrors.writeOutcome(failure),
                          names.errors().store() + ": " + what + ": " + reason(failure),
                          failure));
        });
  }

  private static String reason(Throwable failure) {
    String reason = HBaseErrors.reason(failure);
    return reason.contains("NOT splittable")
        ? "its region is half of another one, and can be split some minutes later, when HBase has"
            + " compacted it"
        : reason;
  }

  private <T> T await(CompletableFuture<T> answer, String what) {
    return calls.await(answer, failure -> names.errors().schema(what, failure));
  }
}
