package org.hourstone.api.prometheus;

import java.util.Locale;
import org.hourstone.api.door.WriteDoor;
import org.hourstone.api.endpoint.BodyEndpoint;
import org.hourstone.api.proto.UnreadableException;
import org.hourstone.api.put.DoorPoints;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;

/**
 * {@code /api/v1/write}: Prometheus' remote write, 1.0 and 2.0. Prometheus drops what is responded
 * to with status 400, and repeats what is with 5xx.
 */
public final class RemoteWriteEndpoint implements BodyEndpoint {
  private static final String WRITTEN = "X-Prometheus-Remote-Write-%s-Written";

  private final WriteDoor door;
  private final LabelSets labels;

  /** The versions of the protocol. */
  private enum Version {
    V1("prometheus.writerequest"),
    V2("io.prometheus.write.v2.request");

    private final String message;

    Version(String message) {
      this.message = message;
    }

    /**
     * @throws ApiException 415 if it is the type of something else
     */
    static Version of(String contentType) {
      String type = contentType.toLowerCase(Locale.ROOT).replaceAll("[\\s\"]", "");
      if (type.isEmpty() || type.equals("application/x-protobuf")) {
        return V1;
      }
      for (Version each : values()) {
        if (type.equals("application/x-protobuf;proto=" + each.message)) {
          return each;
        }
      }
      throw new ApiException(
          ApiException.UNSUPPORTED_TYPE,
          "Unsupported Media Type",
          "The Content-Type ["
              + contentType
              + "] is unknown: application/x-protobuf is known, with proto=prometheus.WriteRequest"
              + " (which may be left out) or proto=io.prometheus.write.v2.Request");
    }
  }

  public RemoteWriteEndpoint(WriteDoor door) {
    this.door = door;
    this.labels = new LabelSets(door.options().names());
  }

  @Override
  public boolean takesSnappy() {
    return true;
  }

  @Override
  public ApiResponse respond(ApiCall call, byte[] body, int length) {
    Version version = Version.of(call.contentType());
    WrittenSamples samples = new WrittenSamples(door.points(labels, call), door.counts());
    String fault = "";
    try {
      if (version == Version.V2) {
        WriteRequest2.read(body, length, samples);
      } else {
        WriteRequest.read(body, length, samples);
      }
    } catch (UnreadableException e) {
      fault = e.why();
    }
    DoorPoints.Outcome outcome = samples.end();
    ApiResponse response = fault.isEmpty() ? response(outcome) : malformed(fault, outcome);
    return version == Version.V2
        ? withCounts(response, outcome.stored() + samples.staleMarkers())
        : response;
  }

  private static ApiResponse malformed(String fault, DoorPoints.Outcome before) {
    String stored =
        before.stored() == 0 ? "" : "; " + before.stored() + " samples before that were stored";
    return ApiResponse.error(ApiException.BAD_REQUEST, "Malformed request", fault + stored);
  }

  private static ApiResponse response(DoorPoints.Outcome outcome) {
    if (outcome.refused() == 0) {
      return ApiResponse.noContent();
    }
    String text = WrittenSamples.unstored(outcome) + ": " + String.join("; ", outcome.reasons());
    int status = outcome.isWorthRepeating() ? ApiException.UNAVAILABLE : ApiException.BAD_REQUEST;
    return ApiResponse.plain(status, text.replaceAll("\\s", " ")).counted();
  }

  /**
   * What 2.0 requires of each response. Stale markers count, as nothing more can be done with them:
   * a sender takes a request of which nothing was written for one that has failed.
   */
  private static ApiResponse withCounts(ApiResponse response, long samples) {
    return response
        .withHeader(String.format(WRITTEN, "Samples"), Long.toString(samples))
        .withHeader(String.format(WRITTEN, "Histograms"), "0")
        .withHeader(String.format(WRITTEN, "Exemplars"), "0");
  }
}
