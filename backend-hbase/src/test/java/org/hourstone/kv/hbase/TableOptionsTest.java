package org.hourstone.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.StoreUri;
import org.junit.jupiter.api.Test;

class TableOptionsTest {
  private static final FamilySpec POINTS = new FamilySpec(new Family("tsdb", "t"), true);
  private static final FamilySpec IDS = new FamilySpec(new Family("tsdb-uid", "id"), false);

  @Test
  void familiesAreAsOpenTsdbsScriptMakesThem() {
    ColumnFamilyDescriptor points = options("").family(POINTS);

    assertThat(points.getNameAsString()).isEqualTo("t");
    assertThat(points.getMaxVersions()).isEqualTo(1);
    assertThat(points.getBloomFilterType()).isEqualTo(BloomType.ROW);
    assertThat(points.getDataBlockEncoding()).isEqualTo(DataBlockEncoding.DIFF);
    assertThat(points.getCompressionType()).isEqualTo(Compression.Algorithm.GZ);
    assertThat(points.getTimeToLive()).isEqualTo(HConstants.FOREVER);
    assertThat(options("").family(IDS).getMaxVersions()).isEqualTo(1);
  }

  @Test
  void compressionIsForAllAndTimeToLiveForPoints() {
    TableOptions options = options("create.compression=ZSTD&create.ttl=90d");

    assertThat(options.family(POINTS).getCompressionType()).isEqualTo(Compression.Algorithm.ZSTD);
    assertThat(options.family(IDS).getCompressionType()).isEqualTo(Compression.Algorithm.ZSTD);
    assertThat(options.family(POINTS).getTimeToLive()).isEqualTo(90 * 86_400);
    assertThat(options.family(IDS).getTimeToLive()).isEqualTo(HConstants.FOREVER);
  }

  @Test
  void theDataTableMayBeSplitBySaltOrUid() {
    assertThat(splits("")).isEmpty();
    assertThat(splits("create.split=salt:1")).isEmpty();
    assertThat(splits("create.split=salt:4")).containsExactly("01", "02", "03");
    assertThat(splits("create.split=salt:3:2")).containsExactly("0001", "0002");
    assertThat(splits("create.split=salt:256")).hasSize(255).endsWith("fe", "ff");
    assertThat(splits("create.split=uid:4")).containsExactly("400000", "800000", "c00000");
    assertThat(splits("create.split=uid:3:8"))
        .containsExactly("5555555555555555", "aaaaaaaaaaaaaaaa");
    assertThat(options("create.split=salt:4").splits(List.of(IDS))).isEmpty();
  }

  private static TableOptions options(String parameters) {
    return TableOptions.of(
        StoreUri.parse("hbase://zk" + (parameters.isEmpty() ? "" : "?" + parameters)));
  }

  private static List<String> splits(String parameters) {
    List<String> keys = new ArrayList<>();
    for (byte[] key : options(parameters).splits(List.of(POINTS))) {
      keys.add(new Bytes(key).toString());
    }
    return keys;
  }
}
