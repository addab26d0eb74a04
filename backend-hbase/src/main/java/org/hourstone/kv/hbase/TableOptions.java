package org.hourstone.kv.hbase;

import java.math.BigInteger;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.StoreUri;

/**
 * Options for the creation of tables. As in OpenTSDB's script, they have one version of a cell,
 * Bloom filters by row, and DIFF-encoded blocks in the data table; in addition, they are compressed
 * and have larger blocks ({@code docs/adr/0009-tables-we-make.md}). Existing tables are not
 * changed.
 *
 * @param compression the compression of all families
 * @param ttl the time to live of the data table's points; zero to keep them indefinitely
 * @param splits the initial splits of the data table
 */
record TableOptions(Compression.Algorithm compression, Duration ttl, Splits splits) {
  static final String COMPRESSION = "create.compression";
  static final String TTL = "create.ttl";
  static final String SPLIT = "create.split";

  /** Twice HBase's default: larger blocks compress better. */
  private static final int DATA_BLOCK_BYTES = 128 << 10;

  /**
   * The initial regions of a data table.
   *
   * @param parts the number of regions, at least 1
   * @param width the number of bytes of the split keys
   * @param everyBucket whether each region is one salt bucket; otherwise the regions divide the
   *     range of UIDs
   */
  record Splits(int parts, int width, boolean everyBucket) {
    static final Splits NONE = new Splits(1, 1, true);

    byte[][] keys() {
      BigInteger range = BigInteger.ONE.shiftLeft(Byte.SIZE * width);
      byte[][] keys = new byte[parts - 1][];
      for (int i = 1; i < parts; i++) {
        BigInteger part = BigInteger.valueOf(i);
        BigInteger key =
            everyBucket ? part : range.multiply(part).divide(BigInteger.valueOf(parts));
        keys[i - 1] = bytes(key);
      }
      return keys;
    }

    private byte[] bytes(BigInteger number) {
      byte[] key = new byte[width];
      byte[] digits = number.toByteArray();
      int from = digits.length > 1 && digits[0] == 0 ? 1 : 0;
      System.arraycopy(digits, from, key, width - (digits.length - from), digits.length - from);
      return key;
    }

    private static Splits parse(String text) {
      String[] words = text.split(":", -1);
      boolean salt = words[0].equals("salt");
      if ((salt || words[0].equals("uid")) && words.length >= 2 && words.length <= 3) {
        int parts = number(words[1]);
        int width = words.length == 3 ? number(words[2]) : salt ? 1 : 3;
        boolean fits = width >= 1 && width <= 8 && (width > 3 || parts <= 1 << (8 * width));
        if (parts >= 1 && parts <= MAX_PARTS && fits) {
          return new Splits(parts, width, salt);
        }
      }
      throw new IllegalArgumentException(
          "store parameter "
              + SPLIT
              + "="
              + text
              + ": must be salt:BUCKETS or uid:REGIONS, then perhaps :WIDTH in bytes");
    }

    private static final int MAX_PARTS = 4096;

    private static int number(String text) {
      return text.matches("[0-9]{1,6}") ? Integer.parseInt(text) : -1;
    }
  }

  static TableOptions of(StoreUri uri) {
    String split = uri.parameter(SPLIT);
    return new TableOptions(
        compression(uri),
        UriDurations.of(uri, TTL, Duration.ZERO),
        split == null ? Splits.NONE : Splits.parse(split));
  }

  private static Compression.Algorithm compression(StoreUri uri) {
    String text = uri.parameter(COMPRESSION);
    if (text == null) {
      return Compression.Algorithm.GZ;
    }
    for (Compression.Algorithm each : Compression.Algorithm.values()) {
      if (each.getName().equals(text.toLowerCase(Locale.ROOT))) {
        return each;
      }
    }
    throw new IllegalArgumentException(
        "store parameter "
            + COMPRESSION
            + "="
            + text
            + ": must be one of "
            + String.join(
                ", ",
                Arrays.stream(Compression.Algorithm.values())
                    .map(Compression.Algorithm::getName)
                    .toList()));
  }

  TableDescriptor table(TableName name, List<FamilySpec> specs) {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(name);
    specs.forEach(spec -> table.setColumnFamily(family(spec)));
    return table.build();
  }

  ColumnFamilyDescriptor family(FamilySpec spec) {
    ColumnFamilyDescriptorBuilder family =
        ColumnFamilyDescriptorBuilder.newBuilder(Names.bytes(spec.family()))
            .setMaxVersions(1)
            .setBloomFilterType(BloomType.ROW)
            .setCompressionType(compression);
    if (isData(spec)) {
      family.setDataBlockEncoding(DataBlockEncoding.DIFF).setBlocksize(DATA_BLOCK_BYTES);
      if (!ttl.isZero()) {
        family.setTimeToLive((int) Math.min(Integer.MAX_VALUE, ttl.toSeconds()));
      }
    }
    return family.build();
  }

  byte[][] splits(List<FamilySpec> specs) {
    return specs.stream().anyMatch(TableOptions::isData) ? splits.keys() : new byte[0][];
  }

  /** Whether it is the family of points, the only one that must never have old versions. */
  private static boolean isData(FamilySpec spec) {
    return spec.singleVersion();
  }
}
