package org.hourstone.api.influx;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.hourstone.api.door.WriteDoor;
import org.hourstone.api.endpoint.BodyEndpoint;
import org.hourstone.api.put.DoorPoints;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.DoorCounts.Door;
import org.hourstone.write.SingleLine;

/**
 * {@code /write} and {@code /api/v2/write}: points in the line protocol. Valid points are stored
 * even if others are refused.
 */
public final class WriteEndpoint implements BodyEndpoint {
  private final WriteDoor door;
  private final InfluxSeries series;

  public WriteEndpoint(WriteDoor door) {
    this.door = door;
    this.series = new InfluxSeries(door.options().names());
  }

  @Override
  public ApiResponse respond(ApiCall call, byte[] body, int length) {
    Precision precision = Precision.of(call.parameter("precision").orElse(""));
    DoorPoints points = door.points(series, call);
    LineBody lines = new LineBody(series, points, precision, door.options().clock().millis());
    lines.addAll(body, length, points);
    DoorPoints.Outcome outcome = points.end();
    door.counts().stored(Door.INFLUX, outcome.stored());
    if (lines.strings() > 0) {
      String example = "the field " + lines.firstString() + ", which is a string";
      door.counts().skipped(Door.INFLUX, "string", lines.strings(), SingleLine.of(example));
    }
    return outcome.refused() == 0 ? ApiResponse.noContent() : partial(call, outcome).counted();
  }

  /**
   * Clients send the body again after 5xx, and drop it after 4xx. By the words "partial write" some
   * of them drop it whatever the status is, such as Telegraf and influxdb-java.
   */
  private static ApiResponse partial(ApiCall call, DoorPoints.Outcome outcome) {
    int status = outcome.status();
    String what = status == ApiException.BAD_REQUEST ? "partial write: " : "write failed: ";
    String text = what + String.join("; ", outcome.reasons()) + " dropped=" + outcome.refused();
    ObjectNode body = InfluxErrors.body(call.path(), status, text);
    return ApiResponse.of(status, body);
  }
}
