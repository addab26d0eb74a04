package org.hourstone.server;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.Disconnection;
import org.jspecify.annotations.Nullable;

/** Sends the response to one request, with its headers. For one thread at a time. */
final class ResponseSender {
  /** A complete body is in memory as text and as bytes; shorter ones are not counted. */
  private static final int COPIES = 3;

  private static final int FEW = 16 * 1024;

  private final Shared shared;
  private final HttpRequest request;
  private final String uri;
  private final String id;
  private final Disconnection client;
  private final Supplier<RequestThreads.Kind> kind;
  private final Channel channel;
  private final ClientPace pace;
  private final BooleanSupplier keepsConnection;

  private int status;
  private boolean begun;
  private boolean endsConnection;

  /**
   * @param id the request's
   * @param kind that of the current thread
   * @param keepsConnection whether the connection can accept another request
   */
  ResponseSender(
      Shared shared,
      HttpRequest request,
      String uri,
      String id,
      Disconnection client,
      Supplier<RequestThreads.Kind> kind,
      Channel channel,
      ClientPace pace,
      BooleanSupplier keepsConnection) {
    this.shared = shared;
    this.request = request;
    this.uri = uri;
    this.id = id;
    this.client = client;
    this.kind = kind;
    this.channel = channel;
    this.pace = pace;
    this.keepsConnection = keepsConnection;
  }

  /** The status that was sent; 0 before. */
  int status() {
    return status;
  }

  /** Whether a part of a response was sent. */
  boolean hasBegun() {
    return begun;
  }

  /** Whether only the end of the connection tells the client where its response ends. */
  boolean endsConnection() {
    return endsConnection;
  }

  /** The one place that all responses pass, but for pages: each refusal is counted. */
  void send(ApiResponse response, @Nullable String retryAfter) throws IOException {
    long bytes = response.isComplete() ? (long) COPIES * response.body().length() : 0;
    if (bytes <= FEW) {
      sendCounted(response, retryAfter);
      return;
    }
    ClientMemory memory = shared.connections().limits().bodies(true);
    if (!memory.take(bytes)) {
      if (request.method().equals(HttpMethod.GET) && kind.get() != RequestThreads.Kind.MONITORING) {
        shared.connections().limits().count(ClientLimits.Limited.RESPONSE_BODY);
        sendCounted(
            shared.api().overloaded("there is no room for the response; try again in a second"),
            Exchange.RETRY_SECONDS);
        return;
      }
      memory.takeAnyway(bytes); // says what was written, or how the server is
    }
    try {
      sendCounted(response, retryAfter);
    } finally {
      memory.release(bytes);
    }
  }

  private void sendCounted(ApiResponse given, @Nullable String retryAfter) throws IOException {
    shared.api().trace(request.method().name(), uri, given, client);
    String requestType = request.headers().get(HttpHeaderNames.CONTENT_TYPE, "");
    ApiResponse response = shared.api().sent(uri, requestType, given);
    HttpHeaders headers = headers(response.contentType());
    response.headers().forEach(headers::set);
    if (retryAfter != null) {
      headers.set(HttpHeaderNames.RETRY_AFTER, retryAfter);
    }
    if (response.status() == HttpResponseStatus.UNAUTHORIZED.code()) {
      headers.add(HttpHeaderNames.WWW_AUTHENTICATE, "Basic realm=\"hourstone\", charset=\"UTF-8\"");
      headers.add(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer realm=\"hourstone\"");
    }
    if (response.status() == HttpResponseStatus.METHOD_NOT_ALLOWED.code()) {
      String methods = shared.pages().has(uri) ? "GET, HEAD" : shared.api().allow(uri);
      if (methods != null) {
        headers.set(HttpHeaderNames.ALLOW, methods);
      }
    }
    if (response.status() == HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE.code()) {
      headers.set(HttpHeaderNames.ACCEPT_ENCODING, "gzip, deflate");
    }
    HttpResponseStatus status = HttpResponseStatus.valueOf(response.status());
    try (ResponseStream out = stream(status, headers)) {
      try {
        response.writeTo(out);
      } finally {
        begun |= out.hasBegun();
      }
      begun = true;
      out.end();
      endsConnection = out.endsWithConnection();
    }
  }

  void send(Page page) throws IOException {
    HttpHeaders headers = headers(page.contentType());
    page.headers().forEach(headers::set);
    boolean known = page.isKnown(request.headers().get(HttpHeaderNames.IF_NONE_MATCH));
    int status = known ? HttpResponseStatus.NOT_MODIFIED.code() : page.status();
    try (ResponseStream out = stream(HttpResponseStatus.valueOf(status), headers)) {
      if (!known) {
        out.write(page.content()); // after HEAD the codec sends only its length
      }
      begun = true;
      out.end();
    }
  }

  private ResponseStream stream(HttpResponseStatus status, HttpHeaders headers) {
    this.status = status.code();
    boolean chunks = request.protocolVersion().equals(HttpVersion.HTTP_1_1);
    SlowClients clients = shared.threads().slowClients(kind.get());
    return new ResponseStream(
        channel, pace, clients, shared.connections().limits(), status, headers, chunks);
  }

  private HttpHeaders headers(String contentType) {
    HttpHeaders headers = new DefaultHttpHeaders();
    headers.set(HttpHeaderNames.CONTENT_TYPE, contentType);
    headers.set("x-content-type-options", "nosniff");
    headers.set(RequestId.HEADER, id);
    shared.cors().addTo(headers, request);
    if (!keepsConnection.getAsBoolean()) {
      headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    } else if (request.protocolVersion().equals(HttpVersion.HTTP_1_0)) {
      headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
    }
    return headers;
  }
}
