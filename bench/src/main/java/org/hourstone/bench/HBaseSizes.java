package org.hourstone.bench;

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
import org.hourstone.Tsdb;
import org.hourstone.rewrite.CompactionListener;
import org.hourstone.rewrite.CompactionScope;

/** The size of a point in HBase's files, by the form of its cell and the table's settings. */
record HBaseSizes(HBaseSubject subject) {
  private static final int FLUSH_SECONDS = 60;

  /** How a data table is stored. */
  private record TableForm(Algorithm compression, DataBlockEncoding encoding, int blockKilobytes) {
    @Override
    public String toString() {
      return compression.getName() + "-" + encoding + "-" + blockKilobytes + "k";
    }

    void create(HBaseClient client, TableName name) {
      client
          .asynchronous()
          .getAdmin()
          .createTable(
              TableDescriptorBuilder.newBuilder(name)
                  .setColumnFamily(
                      ColumnFamilyDescriptorBuilder.newBuilder(HBasePlace.FAMILY)
                          .setMaxVersions(1)
                          .setBloomFilterType(BloomType.ROW)
                          .setCompressionType(compression)
                          .setDataBlockEncoding(encoding)
                          .setBlocksize(blockKilobytes * 1024)
                          .build())
                  .build())
          .join();
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

  void print(SizeData data, PrintStream out) throws IOException {
    out.print("| |");
    TABLE_FORMS.forEach(settings -> out.print(" " + settings + " |"));
    out.println(" as created |");
    out.println("|---|" + "---|".repeat(TABLE_FORMS.size() + 1));
    row("single", Form.SINGLE, false, data, out);
    row("packs", Form.PACKS, false, data, out);
    row("appends", Form.APPENDS, false, data, out);
    row("compacted", Form.PACKS, true, data, out);
  }

  private void row(String name, Form form, boolean compacted, SizeData data, PrintStream out)
      throws IOException {
    TelnetLines lines = TelnetLines.read(data.lines());
    try (HBasePlace place = subject.place()) {
      try (Tsdb db = place.open(lines.clocked(form.options(FLUSH_SECONDS)))) {
        lines.write(db);
      }
      if (compacted) {
        try (Tsdb db = place.open(form.options())) {
          db.compactor().run(CompactionScope.everything(), CompactionListener.NONE);
        }
      }
      out.print("| " + name + " |");
      for (TableForm settings : TABLE_FORMS) {
        TableName copy = TableName.valueOf(place.table() + "-" + settings);
        settings.create(subject.client(), copy);
        HBaseTables.copy(subject.client(), place.table(), copy);
        printBytes(copy, data, out);
      }
      printBytes(place.table(), data, out);
      out.println();
    }
  }

  private void printBytes(TableName table, SizeData data, PrintStream out) throws IOException {
    HBaseTables.settle(subject.client(), table);
    double bytes = HBaseTables.bytes(subject.hbase(), table);
    out.printf(Locale.ROOT, " %.2f |", bytes / data.points());
  }
}
