package org.hourstone.write;

import static java.nio.charset.StandardCharsets.US_ASCII;

import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A text is looked up without the lock while it, and another of its slot, are put. */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "before")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "while it is put")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "after")
@Outcome(
    id = "1, 0",
    expect = Expect.ACCEPTABLE,
    desc = "reads of a slot without lock are not ordered")
@Outcome(expect = Expect.FORBIDDEN, desc = "another series, or an incomplete one")
@State
public class SeriesTextsFinds {
  private static final byte[] TEXT = "metric host=web01".getBytes(US_ASCII);
  private static final byte[] OTHER = "metric host=web02".getBytes(US_ASCII);
  private static final int METRIC = 6;
  private static final RowKey KEYS = new RowKey(Schema.DEFAULT);
  private static final byte[] TSUID = {0, 0, 1, 0, 0, 1, 0, 0, 1};
  private static final byte[] OTHER_TSUID = {0, 0, 1, 0, 0, 1, 0, 0, 2};

  private final SeriesTexts texts = new SeriesTexts(1, () -> 0);

  private static byte[] key(byte[] text) {
    byte[] key = new byte[text.length - 1]; // without what stands between metric and tags
    System.arraycopy(text, 0, key, 0, METRIC);
    System.arraycopy(text, METRIC + 1, key, METRIC, key.length - METRIC);
    return key;
  }

  @Actor
  public void put() {
    // The second is found by the place for those that are not kept, as there is room for one.
    texts.put(SeriesTexts.Form.UTF8, key(OTHER), METRIC, new Series(KEYS, OTHER_TSUID, 0, 0));
    texts.put(SeriesTexts.Form.UTF8, key(TEXT), METRIC, new Series(KEYS, TSUID, 0, 0));
  }

  @Actor
  public void find(II_Result result) {
    result.r1 = find();
    result.r2 = find();
  }

  private int find() {
    KnownText known =
        texts.find(null, SeriesTexts.Form.UTF8, TEXT, 0, METRIC, METRIC + 1, TEXT.length);
    if (known == null) {
      return 0;
    }
    Series found = known.series;
    return found.tsuid() == TSUID && found.hashCode() == HASH ? 1 : 2;
  }

  private static final int HASH = java.util.Arrays.hashCode(TSUID);
}
