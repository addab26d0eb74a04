package org.hourstone.histogram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.error.RequestException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimpleHistogramCodecTest {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();
  private static final String WORKED = "00023F80000040000000054000000040400000AC02028001";

  private final SimpleHistogramCodec codec = new SimpleHistogramCodec();

  @Test
  void bucketsAreStoredInOrderWithTheirCountsAndThenWhatFellOutside() {
    SimpleHistogram histogram =
        new SimpleHistogram(
            new TreeMap<>(Map.of(new Bucket(2, 3), 300L, new Bucket(1, 2), 5L)), 2, 128);

    assertThat(HEX.formatHex(codec.encode(histogram))).isEqualTo(WORKED);
    assertThat(codec.decode(HEX.parseHex(WORKED))).isEqualTo(histogram);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 00",
    "127, 7F",
    "128, 8001",
    "300, AC02",
    "9223372036854775807, FFFFFFFFFFFFFFFF7F",
    "-1, FFFFFFFFFFFFFFFFFF",
    "-9223372036854775808, 808080808080808080",
    "72057594037927935, FFFFFFFFFFFFFF7F",
    "72057594037927936, 808080808080808001",
  })
  void countsTakeAsManyBytesAsTheyNeedAndNineAtMost(long count, String hex) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    SimpleHistogramCodec.writeVarint(new DataOutputStream(bytes), count);

    assertThat(HEX.formatHex(bytes.toByteArray())).isEqualTo(hex);
    assertThat(SimpleHistogramCodec.readVarint(ByteBuffer.wrap(HEX.parseHex(hex))))
        .isEqualTo(count);
  }

  @Test
  void whatIsWrittenIsReadAgain() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int i = 0; i < 2000; i++) {
      SimpleHistogram histogram = randomHistogram(random);
      assertThat(codec.decode(codec.encode(histogram)))
          .describedAs("seed %d, histogram %d", seed, i)
          .isEqualTo(histogram);
    }
  }

  private static SimpleHistogram randomHistogram(Random random) {
    TreeMap<Bucket, Long> buckets = new TreeMap<>();
    for (int n = 1 + random.nextInt(20); n > 0; n--) {
      Bucket bucket = new Bucket(random.nextInt(100), (float) random.nextGaussian());
      buckets.put(bucket, random.nextLong() >> random.nextInt(64));
    }
    return new SimpleHistogram(buckets, random.nextInt(1000), random.nextLong());
  }

  /** With buckets that end where the next one begins, or later. */
  private static SimpleHistogram countedHistogram(Random random) {
    TreeMap<Bucket, Long> buckets = new TreeMap<>();
    for (int n = 1 + random.nextInt(5); n > 0; n--) {
      int lower = random.nextInt(9);
      buckets.put(new Bucket(lower, lower + 1), random.nextLong() >>> (1 + random.nextInt(63)));
    }
    return new SimpleHistogram(buckets, random.nextInt(1000), random.nextInt(1000));
  }

  /** What is given by its bytes is stored, or refused: nothing of it is changed. */
  @Test
  void bytesThatAreTakenExactlyAreThoseThatAreWritten() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    int taken = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = codec.encode(countedHistogram(random));
      for (int changes = random.nextInt(3); changes > 0; changes--) {
        bytes[random.nextInt(bytes.length)] = (byte) (random.nextInt(3) * 127);
      }
      try {
        SimpleHistogram histogram = codec.decodeExactly(bytes);
        taken++;
        assertThat(codec.encode(histogram)).describedAs("seed %d", seed).isEqualTo(bytes);
        assertThat(histogram.buckets().keySet())
            .describedAs("seed %d", seed)
            .allMatch(bucket -> bucket.isFinite() && bucket.lower() <= bucket.upper());
      } catch (CorruptDataException e) {
        assertThat(e).hasMessageStartingWith("Corrupted histogram: ");
      }
    }
    assertThat(taken).describedAs("seed %d", seed).isPositive();
  }

  @Test
  void everyPrefixOfAHistogramIsNamedAsCutOff() {
    byte[] whole = HEX.parseHex(WORKED);
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThatExceptionOfType(CorruptDataException.class)
          .describedAs("%d bytes", length)
          .isThrownBy(() -> codec.decode(cut))
          .withMessageContaining("Corrupted histogram");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aHistogramWithoutBucketsIsNotWrittenSinceItCouldNotBeRead(int overflow) {
    SimpleHistogram empty = new SimpleHistogram(new TreeMap<>(), 0, overflow);

    assertThatExceptionOfType(RequestException.class)
        .isThrownBy(() -> codec.encode(empty))
        .withMessageContaining("without buckets");
  }
}
