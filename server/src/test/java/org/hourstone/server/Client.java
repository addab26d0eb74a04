package org.hourstone.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A connection whose bytes a test writes itself. */
public final class Client implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 30_000;

  /**
   * A response of HTTP.
   *
   * @param headers by their names in lower case
   */
  public record Response(int status, Map<String, String> headers, byte[] content) {
    public String body() {
      return new String(content, UTF_8);
    }
  }

  private final Socket socket;
  private final InputStream in;

  public Client(InetSocketAddress address) throws IOException {
    socket = new Socket(address.getAddress(), address.getPort());
    socket.setSoTimeout(TIMEOUT_MILLIS);
    in = socket.getInputStream();
  }

  /** Over a connection that exists. */
  public Client(Socket connected) throws IOException {
    socket = connected;
    socket.setSoTimeout(TIMEOUT_MILLIS);
    in = socket.getInputStream();
  }

  /** One request over a connection of its own. */
  public static Response request(InetSocketAddress address, String method, String uri, String body)
      throws IOException {
    try (Client client = new Client(address)) {
      client.sendRequest(method, uri, "Connection: close\r\n", body.getBytes(UTF_8));
      return client.response(method.equals("HEAD"));
    }
  }

  public void send(String text) throws IOException {
    send(text.getBytes(ISO_8859_1));
  }

  public void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  /**
   * @param headers each with its line's end
   */
  public void sendRequest(String method, String uri, String headers, byte[] body)
      throws IOException {
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    request.write(
        (method + " " + uri + " HTTP/1.1\r\nHost: localhost\r\n" + headers).getBytes(ISO_8859_1));
    if (body.length > 0) {
      request.write(("Content-Length: " + body.length + "\r\n").getBytes(ISO_8859_1));
    }
    request.write("\r\n".getBytes(ISO_8859_1));
    request.write(body);
    send(request.toByteArray());
  }

  /** Nothing more is sent; what was sent is still answered by telnet. */
  public void endOfInput() throws IOException {
    socket.shutdownOutput();
  }

  /** Ends the connection without waiting for what was sent: the server gets an error. */
  public void reset() throws IOException {
    socket.setOption(StandardSocketOptions.SO_LINGER, 0);
    socket.close();
  }

  /** Whether a byte has arrived that was not read. */
  public boolean hasReply() throws IOException {
    return in.available() > 0;
  }

  /** Waits until a byte has arrived that was not read. */
  public void awaitByte() throws IOException {
    while (!hasReply()) {
      Thread.onSpinWait();
    }
  }

  /** Reads until the server closes the connection. */
  public String rest() throws IOException {
    return new String(in.readAllBytes(), ISO_8859_1);
  }

  /** Reads a line, without its end. */
  public String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("the connection ended after '" + line + "'");
      }
      line.write(b);
    }
    return line.toString(ISO_8859_1).replace("\r", "");
  }

  public Response response() throws IOException {
    return response(false);
  }

  private Response response(boolean withoutBody) throws IOException {
    int status = Integer.parseInt(line().split(" ")[1]);
    Map<String, String> headers = new TreeMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    if (withoutBody || status == 204 || status == 304 || status == 100) {
      return new Response(status, headers, body.toByteArray());
    }
    if (headers.containsKey("content-length")) {
      body.write(in.readNBytes(Integer.parseInt(headers.get("content-length"))));
    } else if ("chunked".equals(headers.get("transfer-encoding"))) {
      for (int size = size(); size > 0; size = size()) {
        body.write(in.readNBytes(size));
        line();
      }
      line();
    } else {
      body.write(in.readAllBytes());
    }
    return new Response(status, headers, body.toByteArray());
  }

  private int size() throws IOException {
    return Integer.parseInt(line(), 16);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
