package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression.Algorithm;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.hbase.HBaseProcess;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.rewrite.CompactionListener;
import org.hourstone.rewrite.CompactionScope;

/** The size of a point in HBase's files, by the form of its cell and the table's settings. */
final class HBaseSizes {
  /** How a data table is stored. */
  private record TableForm(Algorithm compression, DataBlockEncoding encoding, int blockKilobytes) {
    @Override
    public String toString() {
      return compression.getName() + "-" + encoding + "-" + blockKilobytes + "k";
    }
  }

  private static final List<TableForm> TABLE_FORMS =
      List.of(
          new TableForm(Algorithm.NONE, DataBlockEncoding.NONE, 64),
          new TableForm(Algorithm.NONE, DataBlockEncoding.DIFF, 64),
          new TableForm(Algorithm.GZ, DataBlockEncoding.NONE, 64),
          new TableForm(Algorithm.GZ, DataBlockEncoding.DIFF, 64),
          new TableForm(Algorithm.GZ, DataBlockEncoding.DIFF, 128),
          new TableForm(Algorithm.GZ, DataBlockEncoding.DIFF, 256));

  private HBaseSizes() {}

  static void run(
      Arguments arguments,
      HBaseProcess hbase,
      HBaseClient client,
      KeyValueStore store,
      WorkDirectory work,
      PrintStream out)
      throws IOException {
    for (int scale : new int[] {1, 10}) {
      int seconds = (int) (arguments.decimal("hours") * 3600);
      measure(
          new DevopsWorkload(arguments.number("hosts"), seconds, false, scale),
          hbase,
          client,
          store,
          work,
          out);
    }
  }

  private static void measure(
      DevopsWorkload workload,
      HBaseProcess hbase,
      HBaseClient client,
      KeyValueStore store,
      WorkDirectory work,
      PrintStream out)
      throws IOException {
    HBaseRound points = HBaseRound.of(workload, 0, work);
    out.printf(
        "%nBytes per point, %d points from 0 to %d:%n%n| |",
        workload.points(), workload.scale() * 100);
    TABLE_FORMS.forEach(settings -> out.print(" " + settings + " |"));
    out.print(" as created |%n|---|".formatted());
    TABLE_FORMS.forEach(settings -> out.print("---|"));
    out.println("---|");
    for (String form : List.of("singles", "packs", "appends", "compacted")) {
      String source = "size-" + form;
      write(store, source, form, points);
      out.print("| " + form + " |");
      for (TableForm settings : TABLE_FORMS) {
        String table = source + "-" + settings;
        client.asynchronous().getAdmin().createTable(table(table, settings)).join();
        HBaseTables.copy(client, source, table);
        print(hbase, client, table, workload, out);
        drop(client, table);
      }
      print(hbase, client, source, workload, out);
      out.println();
      drop(client, source);
    }
  }

  private static void write(KeyValueStore store, String table, String form, HBaseRound points) {
    TsdbOptions options =
        switch (form) {
          case "singles" -> EngineRoute.singles();
          case "appends" -> EngineRoute.appends(60);
          default -> EngineRoute.packs(60);
        };
    try (EngineRoute route = new EngineRoute(store, table, options)) {
      route.write(points);
    }
    if (form.equals("compacted")) {
      compact(store, table);
    }
  }

  /** Rewrites every row, as is done when its hour is over. */
  static void compact(KeyValueStore store, String table) {
    TsdbOptions options =
        EngineRoute.singles().with(Settings.DATA_TABLE, table).with(Settings.COMPACTION_QUIET, "0");
    try (Tsdb db = Tsdb.over(store, options)) {
      db.compactor().run(CompactionScope.everything(), CompactionListener.NONE);
    }
  }

  private static org.apache.hadoop.hbase.client.TableDescriptor table(
      String name, TableForm settings) {
    return TableDescriptorBuilder.newBuilder(TableName.valueOf(name))
        .setColumnFamily(
            ColumnFamilyDescriptorBuilder.newBuilder("t".getBytes(US_ASCII))
                .setMaxVersions(1)
                .setBloomFilterType(BloomType.ROW)
                .setCompressionType(settings.compression())
                .setDataBlockEncoding(settings.encoding())
                .setBlocksize(settings.blockKilobytes() * 1024)
                .build())
        .build();
  }

  private static void print(
      HBaseProcess hbase,
      HBaseClient client,
      String table,
      DevopsWorkload workload,
      PrintStream out)
      throws IOException {
    HBaseTables.settle(client, table);
    double bytes = HBaseTables.bytes(hbase, table);
    out.printf(Locale.ROOT, " %.2f |", bytes / workload.points());
  }

  private static void drop(HBaseClient client, String table) {
    var admin = client.asynchronous().getAdmin();
    admin.disableTable(TableName.valueOf(table)).join();
    admin.deleteTable(TableName.valueOf(table)).join();
  }
}
