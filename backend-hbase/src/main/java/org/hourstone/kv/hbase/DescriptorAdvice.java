package org.hourstone.kv.hbase;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.hourstone.kv.FamilySpec;

/** How an existing table differs, to its disadvantage, from one that Hourstone would create. */
final class DescriptorAdvice {
  private final TableDescriptor table;
  private final TableOptions options;
  private final List<String> lines = new ArrayList<>();

  private DescriptorAdvice(TableDescriptor table, TableOptions options) {
    this.table = table;
    this.options = options;
  }

  /** One line for each difference, with the command of HBase's shell that ends it. */
  static List<String> of(TableDescriptor table, List<FamilySpec> families, TableOptions options) {
    DescriptorAdvice advice = new DescriptorAdvice(table, options);
    advice.checkDurability();
    for (FamilySpec spec : families) {
      ColumnFamilyDescriptor present = table.getColumnFamily(Names.bytes(spec.family()));
      if (present != null) {
        advice.check(present, options.family(spec));
      }
    }
    return List.copyOf(advice.lines);
  }

  private void checkDurability() {
    Durability durability = table.getDurability();
    if (durability == Durability.ASYNC_WAL || durability == Durability.SKIP_WAL) {
      lines.add(
          ("table %s acknowledges before its log has the write (DURABILITY %s): alter '%1$s',"
                  + " METHOD => 'table_att', DURABILITY => 'USE_DEFAULT'")
              .formatted(table.getTableName(), durability));
    }
  }

  private void check(ColumnFamilyDescriptor present, ColumnFamilyDescriptor ours) {
    if (present.getMaxVersions() > 1) {
      add(
          present,
          "keeps " + present.getMaxVersions() + " versions of a cell, which nothing reads",
          "VERSIONS => 1");
    }
    if (present.getCompressionType() == Compression.Algorithm.NONE
        && options.compression() != Compression.Algorithm.NONE) {
      String name = options.compression().name();
      add(present, "is not compressed", "COMPRESSION => '" + name + "'");
    }
    if (present.getBloomFilterType() == BloomType.NONE) {
      add(present, "has no Bloom filter, so that reads ask every file", "BLOOMFILTER => 'ROW'");
    }
    if (present.getDataBlockEncoding() == DataBlockEncoding.NONE
        && ours.getDataBlockEncoding() != DataBlockEncoding.NONE) {
      String name = ours.getDataBlockEncoding().name();
      add(present, "repeats the row key in each cell", "DATA_BLOCK_ENCODING => '" + name + "'");
    }
  }

  private void add(ColumnFamilyDescriptor family, String fault, String change) {
    lines.add(
        "table %s, family %s %s: alter '%1$s', {NAME => '%2$s', %s}; then major_compact '%1$s'"
            .formatted(table.getTableName(), family.getNameAsString(), fault, change));
  }
}
