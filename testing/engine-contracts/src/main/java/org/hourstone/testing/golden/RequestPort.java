package org.hourstone.testing.golden;

import org.hourstone.Tsdb;
import org.hourstone.api.Api;
import org.hourstone.api.ApiAnswer;
import org.hourstone.api.ApiCall;
import org.hourstone.api.Telnet;

/** The way by which recorded requests reach a database: within the process, or a server. */
public interface RequestPort extends AutoCloseable {
  /**
   * @param uri path and query string, as they were sent
   */
  ApiAnswer http(String method, String uri, String body);

  /** The reply to a line; empty if there is none. */
  String telnet(String line);

  @Override
  default void close() {}

  /** Without a server. */
  static RequestPort of(Tsdb db) {
    Api api = new Api(db);
    Telnet telnet = new Telnet(db);
    return new RequestPort() {
      @Override
      public ApiAnswer http(String method, String uri, String body) {
        return api.answer(ApiCall.of(method, uri, body));
      }

      @Override
      public String telnet(String line) {
        return telnet.answer(line).join();
      }
    };
  }
}
