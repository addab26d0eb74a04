package org.hourstone.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.StoreUri;
import org.junit.jupiter.api.Test;

class DescriptorAdviceTest {
  private static final TableName TABLE = TableName.valueOf("ops:tsdb");
  private static final FamilySpec POINTS = new FamilySpec(new Family("tsdb", "t"), true);
  private static final FamilySpec NAMES = new FamilySpec(new Family("tsdb", "name"), false);

  private final TableOptions options = TableOptions.of(StoreUri.parse("hbase://zk/hbase"));

  @Test
  void aTableOfOurOwnNeedsNoAdvice() {
    List<FamilySpec> families = List.of(POINTS, NAMES);

    assertThat(DescriptorAdvice.of(options.table(TABLE, families), families, options)).isEmpty();
  }

  @Test
  void eachDifferenceIsALineWithTheCommandThatEndsIt() {
    var family =
        ColumnFamilyDescriptorBuilder.newBuilder(new byte[] {'t'})
            .setMaxVersions(3)
            .setBloomFilterType(BloomType.NONE)
            .build();
    var table =
        TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(family)
            .setDurability(Durability.ASYNC_WAL)
            .build();

    assertThat(DescriptorAdvice.of(table, List.of(POINTS, NAMES), options))
        .containsExactly(
            "table ops:tsdb acknowledges before its log has the write (DURABILITY ASYNC_WAL): alter"
                + " 'ops:tsdb', METHOD => 'table_att', DURABILITY => 'USE_DEFAULT'",
            "table ops:tsdb, family t keeps 3 versions of a cell, which nothing reads: alter"
                + " 'ops:tsdb', {NAME => 't', VERSIONS => 1}; then major_compact 'ops:tsdb'",
            "table ops:tsdb, family t is not compressed: alter 'ops:tsdb', {NAME => 't',"
                + " COMPRESSION => 'GZ'}; then major_compact 'ops:tsdb'",
            "table ops:tsdb, family t has no Bloom filter, so that reads ask every file: alter"
                + " 'ops:tsdb', {NAME => 't', BLOOMFILTER => 'ROW'}; then major_compact 'ops:tsdb'",
            "table ops:tsdb, family t repeats the row key in each cell: alter 'ops:tsdb', {NAME =>"
                + " 't', DATA_BLOCK_ENCODING => 'DIFF'}; then major_compact 'ops:tsdb'");
  }
}
