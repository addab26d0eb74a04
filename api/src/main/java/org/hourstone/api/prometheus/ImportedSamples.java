package org.hourstone.api.prometheus;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Locale;
import org.hourstone.api.door.DoorLines;
import org.hourstone.api.door.LineFault;
import org.hourstone.api.put.ImportedText;
import org.hourstone.codec.Timestamps;
import org.hourstone.error.RequestException;
import org.hourstone.uid.NameRules;
import org.hourstone.uid.SeriesName;

/** Samples in Prometheus' text, or in that of OpenMetrics, as lines for {@code import}. */
public final class ImportedSamples extends ImportedText {
  private final Exposition form;
  private final SampleLine sample;
  private final SampleSeries series;
  private final long now;

  /**
   * @param rules those for stored names
   * @param nowMillis the time of samples without one
   */
  public ImportedSamples(Exposition form, NameRules rules, long nowMillis) {
    this.form = form;
    this.sample = new SampleLine(form);
    this.series = new SampleSeries(rules);
    this.now = nowMillis;
  }

  @Override
  public String option() {
    return form.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public String apply(String line) {
    byte[] text = line.getBytes(UTF_8);
    int from = DoorLines.skipBlanks(text, 0, text.length);
    if (from == text.length || text[from] == '#') {
      return "";
    }
    try {
      sample.read(text, from, text.length);
    } catch (LineFault e) {
      throw new RequestException(e.reason(), e);
    }
    SeriesName name = series.name(text, sample.key(), sample.keyEnd(), 0, 0);
    if (sample.hasExemplar()) {
      skip("exemplars");
    }
    if (!Double.isFinite(sample.value())) {
      skip(Double.isNaN(sample.value()) ? "NaN" : "infinity");
      return "";
    }
    StringBuilder point = new StringBuilder(name.metric());
    long millis = sample.hasTimestamp() ? sample.millis() : now;
    point.append(' ').append(time(millis)).append(' ').append(sample.value());
    name.tags().forEach((tagk, tagv) -> point.append(' ').append(tagk).append('=').append(tagv));
    return point.toString();
  }

  /** Whole seconds are stored as seconds. */
  private static long time(long millis) {
    boolean isSecond = millis % 1000 == 0 && millis / 1000 <= Timestamps.MAX_SECONDS;
    if (millis <= 0 || (!isSecond && !Timestamps.isMillis(millis))) {
      throw new RequestException("the time " + millis + " ms can't be stored");
    }
    return isSecond ? millis / 1000 : millis;
  }
}
