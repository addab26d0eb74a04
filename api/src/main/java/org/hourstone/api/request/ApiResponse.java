package org.hourstone.api.request;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.hourstone.internal.Json;
import org.hourstone.series.MemoryLease;
import org.jspecify.annotations.Nullable;

/**
 * A response of the HTTP API. Most are short texts; a long response is generated while it is
 * written. A response must be written or closed: until then it keeps its resources open. For one
 * thread.
 */
public final class ApiResponse implements AutoCloseable {
  public static final int OK = 200;
  public static final int ACCEPTED = 202;
  static final int NO_CONTENT = 204;
  static final int NOT_MODIFIED = 304;

  /** How often a body is in memory at once while it is generated there: growing, and as text. */
  private static final int COPIES = 3;

  private static final Pattern FUNCTION = Pattern.compile("[A-Za-z_$][A-Za-z0-9_$.]*");
  private static final String JSON = "application/json; charset=UTF-8";
  private static final String TEXT = "text/plain; charset=UTF-8";
  private static final String PNG = "image/png";
  private static final String JAVASCRIPT = "application/javascript; charset=UTF-8";

  private final int status;
  private final String contentType;
  private @Nullable String text;
  private @Nullable ResponseBody rest;

  /** Headers of HTTP beside those that the transport adds. */
  private Map<String, String> headers = Map.of();

  /** Why the request is refused, until that is counted. */
  private @Nullable Refusal refusal;

  /** Why a request is refused. */
  public record Refusal(RefusalReason reason, String why) {}

  private ApiResponse(
      int status,
      String contentType,
      @Nullable String text,
      @Nullable ResponseBody rest,
      @Nullable Refusal refusal) {
    this.status = status;
    this.contentType = contentType;
    this.text = text;
    this.rest = rest;
    this.refusal = refusal;
  }

  private static @Nullable Refusal refusal(int status, String why) {
    return status < ApiException.BAD_REQUEST
        ? null
        : new Refusal(RefusalReason.ofStatus(status), why);
  }

  /**
   * A response with a complete body.
   *
   * @param status of HTTP
   * @param body JSON; empty for none
   */
  public ApiResponse(int status, String body) {
    this(status, JSON, body, null, refusal(status, body));
  }

  public static ApiResponse ok(Object json) {
    return of(OK, json);
  }

  public static ApiResponse of(int status, Object json) {
    return new ApiResponse(status, Json.text(json));
  }

  /** A response of plain text. */
  public static ApiResponse plain(int status, String text) {
    return new ApiResponse(status, TEXT, text, null, refusal(status, text));
  }

  public static ApiResponse noContent() {
    return new ApiResponse(NO_CONTENT, "");
  }

  /**
   * An error, in the form of all errors of the API.
   *
   * @param details more than the message; may be empty
   */
  public static ApiResponse error(int status, String message, String details) {
    return refused(RefusalReason.ofStatus(status), status, message, details);
  }

  /** As {@link #error}, for a reason that the status doesn't tell. */
  public static ApiResponse refused(
      RefusalReason reason, int status, String message, String details) {
    ObjectNode error = Json.object().put("code", status).put("message", message);
    if (!details.isEmpty()) {
      error.put("details", details);
    }
    boolean repeats = details.isEmpty() || details.equals(message);
    Refusal refusal = new Refusal(reason, repeats ? message : message + ": " + details);
    return new ApiResponse(
        status, JSON, Json.text(Json.object().set("error", error)), null, refusal);
  }

  /** This response, with another text for the log. */
  public ApiResponse because(String why) {
    Refusal former = refusal;
    if (former != null) {
      refusal = new Refusal(former.reason(), why);
    }
    return this;
  }

  /** Whether it refuses a request that is not counted yet. */
  public boolean isUncounted() {
    return refusal != null;
  }

  /** This response, of whose refusals each was counted for itself. */
  public ApiResponse counted() {
    refusal = null;
    return this;
  }

  /** Why the request is refused; null if it is not, or if this was returned before. */
  public @Nullable Refusal takeRefusal() {
    Refusal taken = refusal;
    refusal = null;
    return taken;
  }

  /** This response without its body, which it replaces. */
  public ApiResponse withoutBody() {
    close();
    return new ApiResponse(status, JSON, "", null, refusal).withHeaders(headers);
  }

  private ApiResponse withHeaders(Map<String, String> those) {
    headers = those;
    return this;
  }

  /** There was nothing to change. */
  public static ApiResponse notModified() {
    return new ApiResponse(NOT_MODIFIED, "");
  }

  /** A response that is generated while it is written. */
  public static ApiResponse streamed(ResponseBody body) {
    return streamed(OK, body);
  }

  public static ApiResponse streamed(int status, ResponseBody body) {
    return new ApiResponse(status, JSON, null, body, refusal(status, "status " + status));
  }

  /** As {@link #streamed(ResponseBody)}, of another type. */
  public static ApiResponse streamed(String contentType, ResponseBody body) {
    return new ApiResponse(OK, contentType, null, body, null);
  }

  /** As {@link #streamed(ResponseBody)}, of plain text. */
  public static ApiResponse streamedText(ResponseBody body) {
    return new ApiResponse(OK, TEXT, null, body, null);
  }

  public static ApiResponse picture(byte[] png) {
    return bytes(OK, PNG, png);
  }

  /**
   * A response that is not text.
   *
   * @param body not changed later
   */
  public static ApiResponse bytes(int status, String contentType, byte[] body) {
    Refusal refusal = refusal(status, "status " + status);
    return new ApiResponse(status, contentType, null, new Bytes(body), refusal);
  }

  private record Bytes(byte[] body) implements ResponseBody {
    @Override
    public void writeTo(OutputStream out) throws IOException {
      out.write(body);
    }

    @Override
    public void close() {}
  }

  /**
   * This response as JavaScript that calls a function with it; it replaces this one.
   *
   * @throws ApiException if the name is not that of a function; it could be any script
   */
  public ApiResponse calling(String function) {
    if (!FUNCTION.matcher(function).matches()) {
      close();
      throw new ApiException(
          ApiException.BAD_REQUEST, "jsonp is not the name of a function: '" + function + "'");
    }
    String before = function + "(";
    ResponseBody body = rest;
    rest = null;
    ApiResponse called =
        body == null
            ? new ApiResponse(status, JAVASCRIPT, before + body() + ")", null, refusal)
            : new ApiResponse(status, JAVASCRIPT, null, new Call(before, body), refusal);
    return called.withHeaders(headers);
  }

  /** Whether its body is complete; if not, the body is generated while it is written. */
  public boolean isComplete() {
    return rest == null;
  }

  /** This response with its body in another one; it replaces this one, which is not complete. */
  public ApiResponse wrapping(UnaryOperator<ResponseBody> wrapper) {
    ResponseBody body = Objects.requireNonNull(rest);
    rest = null;
    return new ApiResponse(status, contentType, null, wrapper.apply(body), refusal)
        .withHeaders(headers);
  }

  /** A body as the argument of a function. */
  private record Call(String before, ResponseBody argument) implements ResponseBody {
    @Override
    public void writeTo(OutputStream out) throws IOException {
      out.write(before.getBytes(StandardCharsets.UTF_8));
      argument.writeTo(out);
      out.write(')');
    }

    @Override
    public void close() {
      argument.close();
    }
  }

  /** This response with another text of JSON, which replaces it; its body must be complete. */
  public ApiResponse withText(String json) {
    return new ApiResponse(status, JSON, json, null, refusal).withHeaders(headers);
  }

  /** This response with a header of HTTP in addition; not one that the transport sets. */
  public ApiResponse withHeader(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    headers = Collections.unmodifiableMap(more);
    return this;
  }

  /** The headers that were added. */
  public Map<String, String> headers() {
    return headers;
  }

  /** The status of HTTP. */
  public int status() {
    return status;
  }

  /** The value of HTTP's header of this name. */
  public String contentType() {
    return contentType;
  }

  /**
   * The whole body; empty for none. A long response is generated in memory completely.
   *
   * @throws RuntimeException if it can't be generated completely, as {@link #writeTo} throws
   */
  public String body() {
    return body(MemoryLease.untracked());
  }

  /**
   * As {@link #body()}, for a body that may be too long for it.
   *
   * @param memory grows by what the body takes
   */
  public String body(MemoryLease memory) {
    String whole = text;
    if (whole == null) {
      ByteArrayOutputStream out =
          new ByteArrayOutputStream() {
            @Override
            public synchronized void write(byte[] bytes, int from, int length) {
              memory.grow(COPIES * (long) length);
              super.write(bytes, from, length);
            }
          };
      try {
        writeTo(out);
      } catch (IOException e) {
        throw new UncheckedIOException("writing to memory", e);
      }
      whole = out.toString(StandardCharsets.UTF_8);
      text = whole;
    }
    return whole;
  }

  /**
   * Writes the body in UTF-8, once. A failure after the first byte can't change the status: it is
   * thrown, and the transport must abort the response.
   *
   * @throws IOException if the stream throws it
   * @throws org.hourstone.query.QueryLimitException if the query reads too much
   * @throws org.hourstone.kv.StoreException if the store fails while it is written
   */
  public void writeTo(OutputStream out) throws IOException {
    ResponseBody body = rest;
    if (body != null) {
      rest = null;
      try (body) {
        body.writeTo(out);
      }
    } else if (text != null) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    } else {
      throw new IllegalStateException("the response was written or closed already");
    }
  }

  /** Releases its resources, if it was not written; may be called again. */
  @Override
  public void close() {
    ResponseBody body = rest;
    if (body != null) {
      rest = null;
      body.close();
    }
  }

  /** Responses with a complete body are equal if their contents are; others only to themselves. */
  @Override
  public boolean equals(@Nullable Object o) {
    return this == o
        || (o instanceof ApiResponse other
            && text != null
            && text.equals(other.text)
            && status == other.status
            && contentType.equals(other.contentType));
  }

  @Override
  public int hashCode() {
    return status;
  }

  @Override
  public String toString() {
    return status + " " + (text == null ? "(not written yet)" : text);
  }
}
