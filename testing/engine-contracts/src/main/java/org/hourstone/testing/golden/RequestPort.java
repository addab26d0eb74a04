package org.hourstone.testing.golden;

import java.util.Map;
import org.hourstone.Tsdb;
import org.hourstone.api.Api;
import org.hourstone.api.Telnet;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;

/** The way by which recorded requests reach a database: within the process, or a server. */
public interface RequestPort extends AutoCloseable {
  /**
   * A response of HTTP.
   *
   * @param contentType empty if it says none
   */
  record Response(int status, String contentType, String body) {
    ApiResponse answer() {
      return new ApiResponse(status, body);
    }
  }

  /**
   * @param uri path and query string, as they were sent
   * @param headers with {@code Content-Encoding: gzip} the body is to be compressed
   */
  Response http(String method, String uri, Map<String, String> headers, String body);

  /** The replies to lines over a connection of their own; empty if there are none. */
  String telnet(String lines);

  /** Whether it answers requests about itself and its connections, too. */
  default boolean isServer() {
    return true;
  }

  @Override
  default void close() {}

  /** Without a server. */
  static RequestPort of(Tsdb db) {
    Api api = new Api(db);
    Telnet telnet = new Telnet(db);
    return new RequestPort() {
      @Override
      public Response http(String method, String uri, Map<String, String> headers, String body) {
        try (ApiResponse answer = api.respond(ApiCall.of(method, uri, body))) {
          return new Response(answer.status(), answer.contentType(), answer.body());
        }
      }

      @Override
      public String telnet(String lines) {
        StringBuilder replies = new StringBuilder();
        lines.lines().forEach(line -> replies.append(telnet.respond(line).join()));
        return replies.toString();
      }

      @Override
      public boolean isServer() {
        return false;
      }
    };
  }
}
