package org.hourstone.histogram;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.error.RequestException;

/** Whatever bytes a cell holds, decoding ends in a histogram or in a CorruptDataException. */
class SimpleHistogramCodecFuzzTest {
  private final HistogramCodecs codecs =
      HistogramCodecs.of("{\"org.hourstone.histogram.SimpleHistogramCodec\": 42}");

  @FuzzTest(maxExecutions = 200_000)
  void cellsAreDecodedOrNamedAsCorrupt(byte[] cell) {
    Histogram histogram;
    try {
      histogram = codecs.decode(cell);
    } catch (CorruptDataException e) {
      assertThat(e).hasMessageMatching("(?s).{10,}");
      return;
    }
    assertThat(histogram.buckets()).hasSizeLessThanOrEqualTo(SimpleHistogram.MAX_BUCKETS);
    try {
      assertThat(histogram.plus(histogram).buckets().keySet())
          .isEqualTo(histogram.buckets().keySet());
    } catch (RequestException e) {
      assertThat(e).hasMessageEndingWith("of a histogram add up to more than 64 bits");
    }
    assertThat(histogram.percentile(0)).isEqualTo(-1);
    if (!histogram.buckets().isEmpty()) {
      assertThat(codecs.decode(codecs.encode(42, histogram))).isEqualTo(histogram);
    }
  }
}
