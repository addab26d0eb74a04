package org.hourstone.api.prometheus;

import org.hourstone.api.door.DoorLines;
import org.hourstone.api.door.LineFault;
import org.hourstone.api.door.WriteDoor;
import org.hourstone.api.endpoint.BodyEndpoint;
import org.hourstone.api.put.DoorPoints;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;

/**
 * {@code /api/import/prometheus}: samples in Prometheus' text, or in that of OpenMetrics. Valid
 * samples are stored even if others are refused.
 */
public final class TextImportEndpoint implements BodyEndpoint {
  private final WriteDoor door;
  private final SampleSeries series;

  public TextImportEndpoint(WriteDoor door) {
    this.door = door;
    this.series = new SampleSeries(door.options().names());
  }

  @Override
  public ApiResponse respond(ApiCall call, byte[] body, int length) {
    SampleLine line = new SampleLine(Exposition.of(call.contentType()));
    String time = call.parameter("timestamp").orElse("");
    long now = time.isEmpty() ? door.options().clock().millis() : door.db().parseTime(time);
    DoorPoints points = door.points(series, call);
    WrittenSamples samples = new WrittenSamples(points, door.counts());
    DoorLines lines = (text, from, to) -> add(text, from, to, line, now, samples);
    lines.addAll(body, length, points);
    return response(samples.end());
  }

  private static void add(
      byte[] text, int from, int to, SampleLine line, long now, WrittenSamples samples)
      throws LineFault {
    line.read(text, from, to);
    samples.select(text, line.key(), line.keyEnd());
    samples.add(line.hasTimestamp() ? line.millis() : now, line.value());
    if (line.hasExemplar()) {
      samples.skip(WrittenSamples.Skipped.EXEMPLAR);
    }
  }

  private static ApiResponse response(DoorPoints.Outcome outcome) {
    if (outcome.refused() == 0) {
      return ApiResponse.noContent();
    }
    String reasons = String.join("; ", outcome.reasons());
    return ApiResponse.error(outcome.status(), WrittenSamples.unstored(outcome), reasons).counted();
  }
}
