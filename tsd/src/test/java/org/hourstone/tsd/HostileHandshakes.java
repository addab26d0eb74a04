package org.hourstone.tsd;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;

/**
 * Clients with TLS, each on a thread of its own, that repeat something; closed ones begin again.
 */
final class HostileHandshakes implements Closeable {
  /** What a client repeats. */
  interface Step {
    void run(SSLSocket socket) throws IOException;
  }

  private final Set<SSLSocket> open = ConcurrentHashMap.newKeySet();
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicLong opened = new AtomicLong();
  private final AtomicLong steps = new AtomicLong();
  private volatile boolean over;

  HostileHandshakes(
      InetSocketAddress server, SSLContext context, String protocol, int count, Step step) {
    for (int i = 0; i < count; i++) {
      Thread thread = new Thread(() -> run(server, context, protocol, step), "attack-" + i);
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
  }

  /** Handshakes again in a connection of TLS 1.2, as often as the server takes part. */
  static void renegotiate(SSLSocket socket) throws IOException {
    socket.startHandshake();
    send(socket, "version\n");
    for (int read = 0; read != '\n'; read = socket.getInputStream().read()) {
      if (read < 0) {
        throw new EOFException();
      }
    }
  }

  /** Sends a record with one byte. */
  static void sendRecord(SSLSocket socket) throws IOException {
    send(socket, "x");
  }

  private static void send(SSLSocket socket, String text) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(text.getBytes(US_ASCII));
    out.flush();
  }

  /** The first bytes of a handshake. */
  static byte[] hello(SSLContext context) throws SSLException {
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(true);
    engine.beginHandshake();
    ByteBuffer hello = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    engine.wrap(ByteBuffer.allocate(0), hello);
    byte[] bytes = new byte[hello.flip().remaining()];
    hello.get(bytes);
    return bytes;
  }

  private void run(InetSocketAddress server, SSLContext context, String protocol, Step step) {
    while (!over) {
      try (SSLSocket socket =
          (SSLSocket)
              context.getSocketFactory().createSocket(server.getAddress(), server.getPort())) {
        open.add(socket);
        opened.incrementAndGet();
        socket.setSoTimeout(30_000);
        socket.setEnabledProtocols(new String[] {protocol});
        socket.startHandshake();
        while (!over) {
          step.run(socket);
          steps.incrementAndGet();
        }
      } catch (IOException closed) {
        // by the server, or in the end
      } finally {
        open.removeIf(SSLSocket::isClosed);
      }
    }
  }

  @Override
  public String toString() {
    return opened + " connections, repeated " + steps + " times";
  }

  @Override
  public void close() {
    over = true;
    for (SSLSocket each : open) {
      try {
        each.close();
      } catch (IOException e) {
        // It can't send its last record, as the server has closed the connection.
      }
    }
    for (Thread each : threads) {
      try {
        each.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
