package org.hourstone.codec;

/**
 * The widths of the fields of stored data. They are not stored: a table can be read only with the
 * widths it was written with. See {@code docs/format/row-key.md}.
 *
 * @param metricWidth bytes of a metric UID, 1 to 8
 * @param tagkWidth bytes of a tagk UID, 1 to 8
 * @param tagvWidth bytes of a tagv UID, 1 to 8
 * @param saltWidth bytes of the salt before every row key, 0 (no salt) to 8
 * @param saltBuckets the number of salts, at least 1
 * @param maxTags the maximum number of tags of a point that is written, at least 1; reading has no
 *     such limit
 */
public record Schema(
    int metricWidth, int tagkWidth, int tagvWidth, int saltWidth, int saltBuckets, int maxTags) {
  /** Bytes of the base time in a row key. */
  public static final int BASE_TIME_WIDTH = 4;

  /** OpenTSDB's defaults: UIDs of three bytes, no salt, eight tags. */
  public static final Schema DEFAULT = new Schema(3, 3, 3, 0, 20, 8);

  public Schema {
    checkUidWidth(metricWidth);
    checkUidWidth(tagkWidth);
    checkUidWidth(tagvWidth);
    if (saltWidth < 0 || saltWidth > 8) {
      throw new IllegalArgumentException("Invalid salt width: " + saltWidth);
    }
    if (saltBuckets < 1) {
      throw new IllegalArgumentException("Invalid number of salt buckets: " + saltBuckets);
    }
    if (maxTags < 1) {
      throw new IllegalArgumentException("Invalid maximum number of tags: " + maxTags);
    }
  }

  private static void checkUidWidth(int width) {
    if (width < 1 || width > 8) {
      throw new IllegalArgumentException("Invalid width: " + width);
    }
  }

  /** Bytes of a tagk UID and a tagv UID together. */
  public int tagPairWidth() {
    return tagkWidth + tagvWidth;
  }

  /** Where the base time starts in a row key. */
  public int baseTimeOffset() {
    return saltWidth + metricWidth;
  }

  /** Where the tag pairs start in a row key. */
  public int tagsOffset() {
    return saltWidth + metricWidth + BASE_TIME_WIDTH;
  }

  /** The number of different salts: fewer than the buckets if the salt is truncated. */
  public int distinctSalts() {
    if (saltWidth == 0) {
      return 1;
    }
    return truncatesSalt() ? 1 << (8 * saltWidth) : saltBuckets;
  }

  /** Whether the salt has too few bytes for the number of buckets, so that high bytes are lost. */
  public boolean truncatesSalt() {
    return saltWidth > 0 && saltWidth < 4 && saltBuckets > 1 << (8 * saltWidth);
  }
}
