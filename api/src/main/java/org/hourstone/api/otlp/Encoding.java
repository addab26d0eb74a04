package org.hourstone.api.otlp;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.hourstone.api.proto.UnreadableException;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.internal.Json;

/** How requests and responses are encoded. A response has the encoding of its request. */
enum Encoding {
  PROTOBUF("application/x-protobuf") {
    @Override
    void read(byte[] body, int length, MetricsReader reader) throws UnreadableException {
      reader.read(body, length);
    }

    @Override
    byte[] partialSuccess(long rejected, String why) {
      ByteBuilder partial = new ByteBuilder();
      addNumber(partial, REJECTED, rejected);
      partial.addRange(MESSAGE, why.getBytes(StandardCharsets.UTF_8));
      ByteBuilder response = new ByteBuilder();
      response.addRange(PARTIAL_SUCCESS, partial.toBytes());
      return response.toBytes();
    }

    @Override
    byte[] success() {
      return new byte[0];
    }

    @Override
    byte[] failure(int code, String why) {
      ByteBuilder status = new ByteBuilder();
      addNumber(status, CODE, code);
      status.addRange(MESSAGE, why.getBytes(StandardCharsets.UTF_8));
      return status.toBytes();
    }

    private void addNumber(ByteBuilder to, int field, long value) {
      to.addTag(field, 0);
      to.addVarint(value);
    }
  },
  JSON("application/json") {
    @Override
    void read(byte[] body, int length, MetricsReader reader) throws UnreadableException {
      ByteBuilder protobuf = JsonRequest.toProtobuf(body, length);
      reader.read(protobuf.bytes(), protobuf.length());
    }

    @Override
    byte[] partialSuccess(long rejected, String why) {
      return Json.bytes(
          Json.object()
              .set(
                  "partialSuccess",
                  Json.object()
                      .put("rejectedDataPoints", Long.toString(rejected))
                      .put("errorMessage", why)));
    }

    @Override
    byte[] success() {
      return Json.bytes(Json.object());
    }

    @Override
    byte[] failure(int code, String why) {
      return Json.bytes(Json.object().put("code", code).put("message", why));
    }
  };

  /** Of {@code ExportMetricsServiceResponse}. */
  private static final int PARTIAL_SUCCESS = 1;

  /** Of {@code ExportMetricsPartialSuccess}. */
  private static final int REJECTED = 1;

  /** Of that, and of {@code google.rpc.Status}. */
  private static final int MESSAGE = 2;

  private static final int CODE = 1;

  private final String type;

  Encoding(String type) {
    this.type = type;
  }

  /**
   * That of a media type.
   *
   * @throws ApiException if it is neither
   */
  static Encoding of(String contentType) {
    return known(contentType)
        .orElseThrow(
            () ->
                new ApiException(
                    ApiException.UNSUPPORTED_TYPE,
                    "Unsupported Media Type",
                    "The Content-Type ["
                        + contentType
                        + "] is not one of OTLP: "
                        + PROTOBUF.type
                        + " and "
                        + JSON.type
                        + " are"));
  }

  /** That of a media type; empty if it is neither. */
  static Optional<Encoding> known(String contentType) {
    int parameters = contentType.indexOf(';');
    String type =
        (parameters < 0 ? contentType : contentType.substring(0, parameters))
            .strip()
            .toLowerCase(Locale.ROOT);
    return Arrays.stream(values()).filter(each -> each.type.equals(type)).findAny();
  }

  String type() {
    return type;
  }

  ApiResponse response(int status, byte[] body) {
    return ApiResponse.bytes(status, type, body);
  }

  /** Reads a request. */
  abstract void read(byte[] body, int length, MetricsReader reader) throws UnreadableException;

  /** The body of a response if some data points are not stored. */
  abstract byte[] partialSuccess(long rejected, String why);

  /** The one if all are. */
  abstract byte[] success();

  /** The one of a request that has failed as a whole. */
  abstract byte[] failure(int code, String why);
}
