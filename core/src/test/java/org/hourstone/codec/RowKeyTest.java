package org.hourstone.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowKeyTest {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }

  private static TagPair tag(String tagk, String tagv) {
    return new TagPair(bytes(tagk), bytes(tagv));
  }

  private static RowKey salted(int width, int buckets) {
    return new RowKey(new Schema(3, 3, 3, width, buckets, 8));
  }

  @Test
  void tagsAreSortedByTheirBytesNotByTheOrderGiven() {
    RowKey keys = new RowKey(Schema.DEFAULT);
    byte[] tsuid =
        keys.tsuid(bytes("000001"), List.of(tag("000002", "000002"), tag("000001", "000004")));
    assertThat(HEX.formatHex(keys.rowKey(tsuid, 1356998400)))
        .isEqualTo("00000150E22700000001000004000002000002");
  }

  @Test
  void theTagsOfASeriesAreReadFromItsTsuid() {
    RowKey keys = new RowKey(new Schema(3, 2, 1, 0, 20, 8));
    byte[] tsuid = bytes("000001" + "000102" + "000203");
    assertThat(keys.tagsOfTsuid(tsuid))
        .extracting(tag -> HEX.formatHex(tag.tagk()) + "=" + HEX.formatHex(tag.tagv()))
        .containsExactly("0001=02", "0002=03");
    assertThat(keys.tagvOfTsuid(tsuid, bytes("0002"))).isEqualTo(bytes("03"));
    assertThat(keys.tagvOfTsuid(tsuid, bytes("0200"))).isNull();
  }

  @Test
  void uidsCompareUnsigned() {
    RowKey keys = new RowKey(Schema.DEFAULT);
    byte[] tsuid =
        keys.tsuid(bytes("000001"), List.of(tag("FF0001", "000001"), tag("7F0001", "000002")));
    assertThat(HEX.formatHex(tsuid)).isEqualTo("0000017F0001000002FF0001000001");
  }

  @ParameterizedTest
  @CsvSource({
    "000001000001000001, 1, 20, 08",
    "000001000001000001, 2, 600, 0238",
    "000001000001000001, 1, 600, 38",
    "000001000001000001000002000004, 1, 20, 02",
    "000001000001000001000002000004, 2, 600, 01A6",
    "000001000001000001000002000004, 1, 600, A6",
    "00012A0000010001F40000020003E8, 1, 20, 07",
    "00012A0000010001F40000020003E8, 2, 600, 006B",
    "FFFFFFFFFFFFFFFFFF, 1, 20, 0E",
    "FFFFFFFFFFFFFFFFFF, 2, 600, 0202",
    "FFFFFFFFFFFFFFFFFF, 1, 600, 02",
    "000000000001000001, 1, 20, 00",
    "000000000001000001, 2, 600, 0000",
  })
  void saltIsTheTsuidsHashModuloBuckets(String tsuid, int width, int buckets, String salt) {
    byte[] row = salted(width, buckets).rowKey(bytes(tsuid), 1356998400);
    assertThat(HEX.formatHex(row)).startsWith(salt);
    assertThat(row).hasSize(width + 4 + tsuid.length() / 2);
  }

  @Test
  void allRowsOfASeriesShareItsSalt() {
    RowKey keys = salted(1, 20);
    byte[] tsuid = bytes("000001000001000001");
    byte[] row = keys.rowKey(tsuid, 0);
    byte[] later = row.clone();
    keys.setBaseTime(later, 1356998400);
    assertThat(later).isEqualTo(keys.rowKey(tsuid, 1356998400));
    assertThat(HEX.formatHex(later)).isEqualTo("0800000150E22700000001000001");
  }

  @Test
  void baseTimeIsUnsigned() {
    RowKey keys = new RowKey(Schema.DEFAULT);
    byte[] row = keys.rowKey(bytes("000001000001000001"), Timestamps.baseTime(4294967295L));
    assertThat(HEX.formatHex(row)).isEqualTo("000001FFFFF960000001000001");
    assertThat(keys.baseTime(row)).isEqualTo(4294965600L);
  }

  @Test
  void everyRowKeyIsParsedIntoItsParts() {
    Random random = new Random(20260);
    for (int i = 0; i < 2000; i++) {
      Schema schema =
          new Schema(
              1 + random.nextInt(8),
              1 + random.nextInt(8),
              1 + random.nextInt(8),
              random.nextInt(5),
              1 + random.nextInt(200),
              8);
      RowKey keys = new RowKey(schema);
      byte[] tsuid =
          new byte[schema.metricWidth() + (1 + random.nextInt(10)) * schema.tagPairWidth()];
      random.nextBytes(tsuid);
      long baseTime = random.nextInt(1193046) * 3600L;
      byte[] row = keys.rowKey(tsuid, baseTime);
      assertThat(keys.isSeriesRow(row)).isTrue();
      assertThat(keys.tsuid(row)).isEqualTo(tsuid);
      assertThat(keys.baseTime(row)).isEqualTo(baseTime);
      assertThat(keys.metricOfTsuid(tsuid)).isEqualTo(Arrays.copyOf(tsuid, schema.metricWidth()));
      assertThat(keys.isSeriesRow(Arrays.copyOf(row, schema.tagsOffset()))).isFalse();
    }
  }

  @Test
  void aUidOfTheWrongWidthIsRefused() {
    RowKey keys = new RowKey(Schema.DEFAULT);
    assertThatThrownBy(() -> keys.tsuid(bytes("0001"), List.of(tag("000001", "000001"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("metrics");
    assertThatThrownBy(() -> keys.tsuid(bytes("000001"), List.of(tag("000001", "00000001"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("tagv");
  }

  @Test
  void widthsOutOfRangeAreRefused() {
    assertThatThrownBy(() -> new Schema(0, 3, 3, 0, 20, 8))
        .hasMessageContaining("Invalid width: 0");
    assertThatThrownBy(() -> new Schema(3, 9, 3, 0, 20, 8))
        .hasMessageContaining("Invalid width: 9");
    assertThatThrownBy(() -> new Schema(3, 3, 3, 9, 20, 8)).hasMessageContaining("salt width: 9");
    assertThatThrownBy(() -> new Schema(3, 3, 3, 0, 0, 8)).hasMessageContaining("salt buckets: 0");
  }

  @Test
  void aSaltThatCannotDistinguishItsBucketsIsNoticed() {
    assertThat(new Schema(3, 3, 3, 1, 256, 8).truncatesSalt()).isFalse();
    assertThat(new Schema(3, 3, 3, 1, 257, 8).truncatesSalt()).isTrue();
    assertThat(new Schema(3, 3, 3, 4, Integer.MAX_VALUE, 8).truncatesSalt()).isFalse();
  }
}
