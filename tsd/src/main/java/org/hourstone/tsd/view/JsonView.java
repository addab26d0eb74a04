package org.hourstone.tsd.view;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.hourstone.query.Query;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.SecondPoints;
import org.hourstone.series.Downsample;
import org.hourstone.series.FillPolicy;
import org.hourstone.tsd.terminal.OutputException;
import org.hourstone.tsd.terminal.TextOutput;
import org.jspecify.annotations.Nullable;

/**
 * A result in the format of OpenTSDB's {@code /api/query}, written incrementally: {@code
 * [{"metric":…,"tags":{…},"aggregateTags":[…],"dps":{"1392388200":0.132,…}},…]}.
 */
public final class JsonView implements SeriesView {
  private final TextOutput out;
  private final boolean millis;
  private final boolean arrays;
  private final boolean showTsuids;
  private final JsonGenerator json;
  private boolean nullForNan;
  private @Nullable Query query;

  /**
   * @param millis whether timestamps are in milliseconds, otherwise in seconds
   * @param arrays whether points are arrays of two elements, otherwise the fields of an object
   */
  public JsonView(TextOutput out, boolean millis, boolean arrays, boolean showTsuids) {
    this.out = out;
    this.millis = millis;
    this.arrays = arrays;
    this.showTsuids = showTsuids;
    try {
      this.json = new JsonFactory().createGenerator(out.stream());
    } catch (IOException e) {
      throw new OutputException(e);
    }
  }

  @Override
  public void begin(@Nullable Query query) {
    Downsample downsample = query == null ? null : query.downsample();
    this.query = query;
    nullForNan = downsample != null && downsample.fill() == FillPolicy.NULL;
  }

  @Override
  public void add(ResultSeries series) {
    try {
      if (json.getOutputContext().inRoot()) {
        json.writeStartArray();
      }
      write(series);
    } catch (IOException e) {
      throw new OutputException(e);
    }
  }

  private void write(ResultSeries series) throws IOException {
    json.writeStartObject();
    json.writeStringField("metric", series.metric());
    json.writeObjectFieldStart("tags");
    for (Map.Entry<String, String> tag : series.tags().entrySet()) {
      json.writeStringField(tag.getKey(), tag.getValue());
    }
    json.writeEndObject();
    writeArray("aggregateTags", series.aggregateTags());
    if (showTsuids) {
      writeArray("tsuids", series.tsuids());
    }
    json.writeFieldName("dps");
    if (arrays) {
      writePointArrays(series);
    } else {
      writePointFields(series);
    }
    json.writeEndObject();
  }

  private void writeArray(String name, List<String> texts) throws IOException {
    json.writeArrayFieldStart(name);
    for (String text : texts) {
      json.writeString(text);
    }
    json.writeEndArray();
  }

  private void writePointFields(ResultSeries series) throws IOException {
    json.writeStartObject();
    SecondPoints seconds = new SecondPoints(series, query);
    for (int i = 0; i < series.size(); ) {
      int end = millis ? i + 1 : seconds.end(i);
      json.writeFieldName(Long.toString(time(series, i)));
      if (seconds.isInteger(i, end)) {
        json.writeNumber(seconds.longValue(i, end));
      } else {
        writeDouble(seconds.doubleValue(i, end));
      }
      i = end;
    }
    json.writeEndObject();
  }

  private void writePointArrays(ResultSeries series) throws IOException {
    json.writeStartArray();
    for (int i = 0; i < series.size(); i++) {
      json.writeStartArray();
      json.writeNumber(time(series, i));
      writeValue(series, i);
      json.writeEndArray();
    }
    json.writeEndArray();
  }

  private long time(ResultSeries series, int i) {
    return millis ? series.millis(i) : series.millis(i) / 1000;
  }

  private void writeValue(ResultSeries series, int i) throws IOException {
    if (series.isInteger(i)) {
      json.writeNumber(series.longValue(i));
    } else {
      writeDouble(series.doubleValue(i));
    }
  }

  private void writeDouble(double value) throws IOException {
    if (nullForNan && Double.isNaN(value)) {
      json.writeNull();
    } else if (!Double.isFinite(value)) {
      json.writeString(Double.toString(value));
    } else {
      json.writeNumber(Double.toString(value)); // has these digits in JSON as everywhere
    }
  }

  @Override
  public void finish() {
    try {
      if (json.getOutputContext().inRoot()) {
        json.writeStartArray();
      }
      json.writeEndArray();
      json.flush();
    } catch (IOException e) {
      throw new OutputException(e);
    }
    out.line("");
  }
}
