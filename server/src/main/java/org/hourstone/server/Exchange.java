package org.hourstone.server;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import java.io.IOException;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hourstone.DaemonSettings;
import org.hourstone.api.Api;
import org.hourstone.api.ApiUpload;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.Disconnection;
import org.hourstone.api.request.Role;
import org.hourstone.error.TsdbException;
import org.hourstone.internal.OutOfMemoryReport;
import org.jspecify.annotations.Nullable;

/** One HTTP request and its response. Runs on a thread that may wait. */
final class Exchange implements Runnable {
  static final String RETRY_SECONDS = "1";

  /** For how long a body is handled while other requests wait for a thread. */
  private static final long TURN_NANOS = 5_000_000;

  private static final Set<String> ENCODINGS =
      Set.of("", "gzip", "x-gzip", "deflate", "x-deflate"); // those that takePlain decodes
  private static final int FORBIDDEN = 403;
  private static final int METHOD_NOT_ALLOWED = 405;
  private static final int UNSUPPORTED = 415;
  private static final String FOREIGN =
      "Pages of other web sites may only read points, names and statistics ("
          + DaemonSettings.CORS_DOMAINS.key()
          + " lists those that may do more)";

  private final Shared shared;
  private final HttpRequest request;
  private final String uri;
  private final Channel channel;
  private final ClientPace pace;
  private RequestThreads.Kind kind;
  private final String id;
  private final Disconnection client;
  private final long received = System.nanoTime();
  private long handedOver = received;

  /** Whether the request comes from a page that must not change anything. */
  private boolean isReadOnly;

  /** The first part of the body. */
  private final ReceivedBody body;

  private boolean last;

  /** The body if it is handled while it arrives; else null. */
  private @Nullable StreamedBody streamed;

  private boolean wantsBody;

  /** Whether others have their turn before the rest of what has arrived is handled. */
  private boolean wantsTurn;

  /** Whether it has a response, sent or not. */
  private boolean responded;

  private final ResponseSender sender;
  private final Runnable done;
  private volatile boolean keepAlive;
  private volatile boolean brokenOff;

  /**
   * @param body the first part of the request's body
   * @param last whether this is the whole body
   * @param done runs on the connection's network thread once the response is handed over to it or
   *     {@link #wantsBody}
   */
  Exchange(
      Shared shared,
      HttpRequest request,
      ReceivedBody body,
      boolean last,
      Channel channel,
      ClientPace pace,
      Runnable done) {
    this.shared = shared;
    this.request = request;
    String target = RequestTarget.originForm(request.uri());
    this.uri = shared.api().readsUtf8Targets() ? RequestTarget.encoded(target) : target;
    this.id = RequestId.of(request);
    this.client =
        new Disconnection(ClientAddress.of(channel) + " request " + id, this::waitsForTurn);
    this.body = body;
    this.last = last;
    this.channel = channel;
    this.pace = pace;
    this.done = done;
    this.keepAlive = HttpUtil.isKeepAlive(request);
    this.kind = kind(shared, uri, last);
    this.sender =
        new ResponseSender(
            shared, request, uri, id, client, () -> kind, channel, pace, this::keepsConnection);
  }

  private void waitsForTurn(boolean waits) {
    if (waits) {
      shared.threads().rest(kind);
    } else {
      shared.threads().resume(kind);
    }
  }

  /** What it may wait for. */
  RequestThreads.Kind kind() {
    return kind;
  }

  /**
   * @param isWhole whether the body has arrived
   */
  private static RequestThreads.Kind kind(Shared shared, String uri, boolean isWhole) {
    if (shared.pages().has(uri) || shared.api().neverWaits(uri)) {
      return RequestThreads.Kind.MONITORING;
    }
    if (shared.api().mayTakeLong(uri)) {
      return RequestThreads.Kind.QUERY;
    }
    if (shared.api().handlesTexts(uri)) {
      return RequestThreads.Kind.TEXT;
    }
    return isWhole ? RequestThreads.Kind.OTHER : RequestThreads.Kind.LARGE_PUT;
  }

  /** Whether it requests a page that requires no account, no store and no waiting. */
  boolean isOfOpenPage() {
    return shared.pages().isOpen(uri);
  }

  /** Whether it handles the request with this head. */
  boolean isOf(@Nullable HttpRequest head) {
    return request == head;
  }

  /** Called when the client has disconnected. */
  void clientIsGone() {
    client.gone();
    pace.changed();
  }

  /** Makes the connection close after this response. */
  void endConnection() {
    keepAlive = false;
  }

  /** Whether the connection can accept another request; valid once this is done. */
  boolean keepsConnection() {
    return keepAlive && last; // the bytes that follow may be the rest of a body that was not read
  }

  /** Whether it has not responded yet and continues with the next part of the body. */
  boolean wantsBody() {
    return wantsBody;
  }

  /** Accepts the next part of the body; this must then be run again. */
  void receive(ReceivedBody part, boolean isLast) {
    Objects.requireNonNull(streamed).add(part, isLast);
    last = isLast;
    wantsBody = false;
    handedOver = System.nanoTime();
  }

  /** The response if the rest of the body can't be received. */
  ApiResponse brokenOff(HttpResponseStatus why, String details) {
    responded = true;
    return Objects.requireNonNull(streamed).brokenOff(why, details);
  }

  /** Releases its resources: it is not run again. If it has no response, it is refused. */
  void release() {
    if (streamed != null) {
      if (!responded) {
        brokenOff(HttpResponseStatus.BAD_REQUEST, RequestReceiver.INCOMPLETE).close();
      }
      streamed.release();
    }
  }

  /** Whether the response is not complete; valid once this is done. */
  boolean isBrokenOff() {
    return brokenOff;
  }

  @Override
  public void run() {
    shared.metrics().waited(System.nanoTime() - handedOver);
    wantsTurn = false;
    try {
      if (streamed == null) {
        respond();
      } else {
        proceed(streamed);
      }
    } catch (IOException | RuntimeException | Error e) {
      fail(e);
    } finally {
      if (wantsTurn) {
        awaitTurn();
      } else if (wantsBody) {
        channel.eventLoop().execute(done);
      } else {
        ended();
      }
    }
  }

  /** Continues after requests that wait for a thread. */
  private void awaitTurn() {
    handedOver = System.nanoTime();
    try {
      shared.threads().httpLater(kind, this);
    } catch (RejectedExecutionException | OutOfMemoryError stopped) {
      OutOfMemoryReport.reportUnlessOfThread(stopped);
      wantsTurn = false;
      keepAlive = false;
      brokenOff = true;
      ended();
    }
  }

  private void fail(Throwable e) {
    OutOfMemoryReport.report(e);
    keepAlive = false;
    if (e instanceof IOException || sender.hasBegun()) {
      brokenOff = true;
      log(e); // the response can't be completed, and the client must notice
      return;
    }
    try {
      send(shared.api().failed(e, client), null);
    } catch (IOException | RuntimeException | Error again) {
      log(e);
    }
  }

  private void log(Throwable e) {
    if (!(e instanceof IOException)) { // else the client has disconnected
      shared.api().cutOff(request.method().name(), uri, e, client);
    }
  }

  private void ended() {
    shared.metrics().answered(shared.endpoint(uri), sender.status(), System.nanoTime() - received);
    channel.eventLoop().execute(done); // not within the handling of the previous request
  }

  private void respond() throws IOException {
    Access access = Access.of(shared, request, isOfOpenPage());
    ApiResponse refusal = access.refusal();
    if (refusal == null) {
      isReadOnly = access.isReadOnly();
      respond(access.roles());
    } else {
      send(refusal, access.retryAfter());
    }
  }

  private void respond(Set<Role> roles) throws IOException {
    if (shared.pages().has(uri) && !isRead()) {
      send(
          ApiResponse.error(
              METHOD_NOT_ALLOWED,
              "Method not allowed",
              "The HTTP method [" + request.method().name() + "] is not permitted for this page"),
          null);
      return;
    }
    Page page = shared.pages().page(uri);
    if (page != null && (roles.contains(Role.READ) || roles.contains(Role.ADMIN))) {
      sender.send(page);
    } else if (page != null) {
      send(ApiResponse.error(FORBIDDEN, "Forbidden", "The request needs the role [read]"), null);
    } else {
      dispatch(roles);
    }
  }

  private boolean isRead() {
    return request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD);
  }

  private void dispatch(Set<Role> roles) throws IOException {
    String encodings = encodings();
    if (body.length() > 0 && !isKnown(encodings)) {
      send(
          ApiResponse.error(
              UNSUPPORTED,
              "Unsupported Media Type",
              "The Content-Encoding ["
                  + encodings
                  + "] is unknown: gzip and deflate are known"
                  + (shared.api().takesSnappy(uri) ? ", and snappy" : "")),
          null);
      return;
    }
    if (!last || (PlainBytes.areCompressed(encodings) && shared.api().takesParts(uri))) {
      ApiUpload upload;
      try {
        upload = shared.api().upload(request.method().name(), uri, client, roles);
      } catch (TsdbException e) {
        keepAlive &= last;
        send(shared.api().failed(e, client), null);
        return;
      }
      StreamedBody begun =
          new StreamedBody(upload, body.memory(), shared.options().bodies().max(), encodings);
      streamed = begun;
      begun.add(body, last);
      proceed(begun);
      return;
    }
    ApiResponse response;
    try {
      response = respondWhole(encodings, roles);
    } catch (ReceivedBody.RefusedException e) {
      send(
          ApiResponse.error(e.status().code(), e.status().reasonPhrase(), e.details()),
          retryAfter(e));
      return;
    }
    try (response) {
      sendOrForeign(response);
    }
  }

  private boolean isKnown(String encodings) {
    return ENCODINGS.contains(encodings)
        || (encodings.equals(ReceivedBody.SNAPPY) && shared.api().takesSnappy(uri));
  }

  private ApiResponse respondWhole(String encodings, Set<Role> roles)
      throws ReceivedBody.RefusedException {
    Api api = shared.api();
    String method = request.method().name();
    body.reserve(uri);
    byte[] plain = api.readsBytes(uri) ? body.takePlain(encodings) : body.takeParsed(encodings);
    String type = request.headers().get(HttpHeaderNames.CONTENT_TYPE, "");
    return api.respond(method, uri, type, plain, client, roles);
  }

  private void sendOrForeign(ApiResponse response) throws IOException {
    boolean isForeign = isReadOnly && response.status() == FORBIDDEN;
    send(isForeign ? ApiResponse.error(FORBIDDEN, "Forbidden", FOREIGN) : response, null);
  }

  private void proceed(StreamedBody arriving) throws IOException {
    ApiResponse response;
    long begunAt = System.nanoTime();
    try {
      response =
          arriving.proceed(
              () ->
                  isOnWrongThread(arriving)
                      || (System.nanoTime() - begunAt >= TURN_NANOS
                          && shared.threads().areAwaited(kind)));
    } catch (ReceivedBody.RefusedException e) {
      send(arriving.brokenOff(e.status(), e.details()), retryAfter(e));
      return;
    }
    if (response == null) {
      wantsTurn = arriving.isUnfinished();
      wantsBody = !wantsTurn;
      if (isOnWrongThread(arriving)) {
        kind = RequestThreads.Kind.LARGE_PUT;
      }
      return;
    }
    try (response) {
      sendOrForeign(response);
    }
  }

  /** Whether a small body has become a large one when it was decompressed. */
  private boolean isOnWrongThread(StreamedBody arriving) {
    return kind == RequestThreads.Kind.OTHER && arriving.isLarge();
  }

  /** The encoding of the body, in lower case; empty if it is not encoded. */
  private String encodings() {
    if (!request.headers().contains(HttpHeaderNames.CONTENT_ENCODING)) {
      return "";
    }
    return request.headers().getAll(HttpHeaderNames.CONTENT_ENCODING).stream()
        .flatMap(header -> Stream.of(header.toLowerCase(Locale.ROOT).split(",")))
        .map(String::strip)
        .filter(encoding -> !encoding.isEmpty() && !encoding.equals("identity"))
        .collect(Collectors.joining(", "));
  }

  private @Nullable String retryAfter(ReceivedBody.RefusedException refusal) {
    if (!refusal.status().equals(HttpResponseStatus.SERVICE_UNAVAILABLE)) {
      return null;
    }
    shared.connections().limits().count(ClientLimits.Limited.BODY);
    return RETRY_SECONDS;
  }

  /** Refuses the request for lack of capacity, on the network thread. */
  void refuse() {
    shared.connections().limits().count(ClientLimits.Limited.THREAD);
    try (ApiResponse response =
        shared.api().overloaded("too many requests wait; try again in a second")) {
      send(response, RETRY_SECONDS);
    } catch (IOException e) {
      keepAlive = false;
    }
    ended();
  }

  private void send(ApiResponse response, @Nullable String retryAfter) throws IOException {
    responded = true;
    sender.send(response, retryAfter);
    if (sender.endsConnection()) {
      keepAlive = false;
    }
  }
}
