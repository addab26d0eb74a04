package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.zip.GZIPOutputStream;

/** Connections to a daemon that take its memory or its threads, if nothing limits them. */
final class HostileConnections implements AutoCloseable {
  private static final int LINE_BYTES = 1 << 30;
  private static final int BOMB_BYTES = 1 << 30;
  private static final int DEPTH = 100_000;
  private static final int PATIENCE_MILLIS = 60_000;
  private static final byte[] SLOW_REQUEST =
      ("POST /api/put HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n"
              + "[".repeat(100_000))
          .getBytes(US_ASCII);

  private final InetSocketAddress server;
  private final List<SocketChannel> open = new ArrayList<>();

  HostileConnections(int port) {
    this.server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  /** Opens connections that send nothing, and returns when all are open. */
  void idle(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      connect();
    }
  }

  /** Opens connections that send the beginning of a body, and then nothing. */
  void halfSent(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      connect().write(ByteBuffer.wrap(SLOW_REQUEST, 0, SLOW_REQUEST.length / 2));
    }
  }

  /** Opens connections that send long queries and never read. */
  void deaf(int count) throws IOException {
    byte[] request =
        ("GET " + Attacks.RANGE + "&m=none:wide HTTP/1.1\r\nHost: localhost\r\n\r\n")
            .getBytes(US_ASCII);
    for (int i = 0; i < count; i++) {
      SocketChannel channel = connect();
      channel.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
      for (int n = 0; n < 100; n++) {
        channel.write(ByteBuffer.wrap(request));
      }
    }
  }

  /**
   * Sends a byte of a request on each of some connections in turn, each once a second, opening
   * those again that the server closes. Returns how often it did.
   */
  int slow(int count, BooleanSupplier over) throws IOException, InterruptedException {
    SocketChannel[] channels = new SocketChannel[count];
    int[] sent = new int[count];
    int closed = 0;
    while (!over.getAsBoolean()) {
      for (int i = 0; i < count; i++) {
        try {
          if (channels[i] == null) {
            channels[i] = connect();
            sent[i] = 0;
          }
          channels[i].write(ByteBuffer.wrap(SLOW_REQUEST, sent[i]++, 1));
        } catch (IOException e) {
          channels[i] = null;
          closed++;
        }
      }
      Thread.sleep(1000);
    }
    return closed;
  }

  /** Sends a line of telnet of 1 GB, and returns the reply. */
  String longLine() throws IOException {
    try (Socket socket = socket()) {
      byte[] some = "put ".repeat(1 << 14).getBytes(US_ASCII);
      OutputStream out = socket.getOutputStream();
      for (long sent = 0; sent < LINE_BYTES; sent += some.length) {
        out.write(some);
      }
      out.write("\nversion\n".getBytes(US_ASCII));
      socket.shutdownOutput();
      return firstLine(socket);
    }
  }

  /** Sends a compressed body of 1 GB, and returns the line of the status. */
  String gzipBomb() throws IOException {
    ByteArrayOutputStream bomb = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(bomb)) {
      byte[] some = " ".repeat(1 << 16).getBytes(US_ASCII);
      for (long sent = 0; sent < BOMB_BYTES; sent += some.length) {
        gzip.write(some);
      }
    }
    return body("Content-Encoding: gzip\r\n", bomb.toByteArray());
  }

  /** Sends JSON that is nested deeply, and returns the line of the status. */
  String deepJson() throws IOException {
    return body("", "[".repeat(DEPTH).getBytes(US_ASCII));
  }

  private String body(String header, byte[] body) throws IOException {
    try (Socket socket = socket()) {
      OutputStream out = socket.getOutputStream();
      out.write(
          ("POST /api/put HTTP/1.1\r\nHost: localhost\r\n"
                  + header
                  + "Content-Length: "
                  + body.length
                  + "\r\n\r\n")
              .getBytes(US_ASCII));
      try {
        out.write(body);
      } catch (IOException refused) {
        // The response was sent before the body had been read.
      }
      return firstLine(socket);
    }
  }

  private Socket socket() throws IOException {
    Socket socket = new Socket();
    socket.setSoTimeout(PATIENCE_MILLIS);
    socket.connect(server);
    return socket;
  }

  private static String firstLine(Socket socket) throws IOException {
    String reply = new String(socket.getInputStream().readNBytes(200), US_ASCII);
    return reply.lines().findFirst().orElse("nothing");
  }

  private synchronized SocketChannel connect() throws IOException {
    SocketChannel channel = SocketChannel.open(server);
    open.add(channel);
    return channel;
  }

  /** Closes all that are open. */
  @Override
  public synchronized void close() throws IOException {
    for (SocketChannel channel : open) {
      channel.close();
    }
  }
}
