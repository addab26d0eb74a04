package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import com.google.common.primitives.Bytes;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Locale;

/**
 * A connection on loopback that is kept for one request after the other. It costs the client as
 * little as possible, so that the server is measured.
 */
final class HttpConnection implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 120_000;

  private final Socket socket;
  private final InputStream in;

  HttpConnection(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(PATIENCE_MILLIS);
    socket.setTcpNoDelay(true);
    in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
  }

  static byte[] get(String path) {
    return ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(US_ASCII);
  }

  /**
   * @param headers beside {@code Host} and {@code Content-Length}
   */
  static byte[] post(String path, String headers, byte[] body) {
    byte[] head =
        "POST %s HTTP/1.1\r\nHost: localhost\r\n%s\r\nContent-Length: %d\r\n\r\n"
            .formatted(path, headers, body.length)
            .getBytes(US_ASCII);
    return Bytes.concat(head, body);
  }

  /** Sends a request and returns the body of the response; empty if it has no content. */
  byte[] ask(byte[] request) throws IOException {
    socket.getOutputStream().write(request);
    String status = line();
    long length = -1;
    boolean chunked = false;
    for (String header = line(); !header.isEmpty(); header = line()) {
      String lower = header.toLowerCase(Locale.ROOT);
      if (lower.startsWith("content-length:")) {
        length = Long.parseLong(lower.substring("content-length:".length()).trim());
      }
      chunked |= lower.startsWith("transfer-encoding:") && lower.endsWith("chunked");
    }
    if (status.startsWith("HTTP/1.1 204 ")) {
      return new byte[0];
    }
    if (length < 0 && !chunked) {
      throw new IOException("no length in the response: " + status);
    }
    byte[] body = chunked ? chunks() : exactly(length);
    if (!status.startsWith("HTTP/1.1 200 ")) {
      throw new IOException(status + ": " + new String(body, ISO_8859_1));
    }
    return body;
  }

  private byte[] chunks() throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream(1 << 16);
    for (int size = chunkSize(); size > 0; size = chunkSize()) {
      body.write(exactly(size));
      line();
    }
    line();
    return body.toByteArray();
  }

  private int chunkSize() throws IOException {
    return Integer.parseInt(line(), 16);
  }

  private byte[] exactly(long count) throws IOException {
    byte[] some = in.readNBytes(Math.toIntExact(count));
    if (some.length < count) {
      throw new EOFException("the server has closed the connection");
    }
    return some;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("the server has closed the connection after " + line);
      }
      if (next != '\r') {
        line.append((char) next);
      }
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
