package org.hourstone.server;

import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.hourstone.api.Api;
import org.hourstone.api.Telnet;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.Disconnection;
import org.hourstone.api.request.RefusalReason;

/**
 * Counts what a refused connection sends: its lines, or its first request. For one thread at a
 * time.
 */
final class RefusedInput {
  /** As much of a line as is kept. */
  private static final int MOST = 1024;

  private final Api api;
  private final Telnet telnet;
  private final ApiResponse answer;
  private final RefusalReason reason;
  private final String why;
  private final String client;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private boolean ended;

  /**
   * @param answer the response to a request of HTTP
   * @param reason why the connection is refused
   * @param why the same in words
   */
  RefusedInput(
      Api api, Telnet telnet, ApiResponse answer, RefusalReason reason, String why, String client) {
    this.api = api;
    this.telnet = telnet;
    this.answer = answer;
    this.reason = reason;
    this.why = why;
    this.client = client;
  }

  /** Reads on, without changing the buffer. */
  void add(ByteBuf bytes, boolean isHttp) {
    bytes.forEachByte(
        next -> {
          if (next == '\n') {
            endLine(isHttp);
          } else if (line.size() < MOST) {
            line.write(next);
          }
          return !ended;
        });
  }

  /** The connection ends: so does the last line. */
  void end(boolean isHttp) {
    if (!ended) {
      endLine(isHttp);
      ended = true;
    }
  }

  private void endLine(boolean isHttp) {
    byte[] begun = line.toByteArray();
    line.reset();
    String text = new String(begun, StandardCharsets.ISO_8859_1).strip();
    if (isHttp) {
      ended = true; // what follows belongs to this request
      String[] words = text.split(" ", 3);
      String uri = words.length > 1 ? RequestTarget.originForm(words[1]) : "";
      api.trace(words[0], uri, answer, new Disconnection(client));
    } else if (!text.isEmpty() && !TelnetBatch.isExit(begun, 0, begun.length)) {
      telnet.refuse(reason, begun, why, client);
    }
  }
}
