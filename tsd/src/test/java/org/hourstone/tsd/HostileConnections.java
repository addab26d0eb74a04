package org.hourstone.tsd;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Connections that all send the same bytes, as fast as the server takes them, on a thread of their
 * own. One that the server closes is opened again.
 */
final class HostileConnections implements Closeable {
  private static final int WAIT_MILLIS = 20;
  private static final int PART = 64 * 1024;

  /** What a connection does besides sending. */
  enum Manner {
    /** Sends its bytes over and over, and never reads. */
    DEAF,
    /** Sends its bytes over and over, and reads the responses. */
    READING,
    /** Sends its bytes once, and then nothing. */
    SILENT,
    /** Sends a single byte at a time, again from the first in the end. */
    DRIPPING,
    /** Sends its bytes once, and is closed: every second one once a response has begun. */
    LEAVING
  }

  private final InetSocketAddress server;
  private final byte[] bytes;
  private final int repeatedFrom;
  private final Manner manner;
  private final List<Connection> connections = new ArrayList<>();
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong opened = new AtomicLong();
  private final Selector selector;
  private final Thread thread = new Thread(this::run, "attack");
  private volatile boolean over;

  /**
   * @param repeatedFrom where to go on in the bytes after their end
   */
  HostileConnections(
      InetSocketAddress server, int count, Manner manner, byte[] bytes, int repeatedFrom)
      throws IOException {
    this.server = server;
    this.bytes = bytes;
    this.repeatedFrom = repeatedFrom;
    this.manner = manner;
    this.selector = Selector.open();
    for (int i = 0; i < count; i++) {
      connections.add(new Connection());
    }
    thread.setDaemon(true);
    thread.start();
  }

  /** The bytes sent so far and the connections opened so far. */
  @Override
  public String toString() {
    return "%d connections, %.1f MB sent".formatted(opened.get(), sent.get() / 1e6);
  }

  private void run() {
    ByteBuffer dropped = ByteBuffer.allocateDirect(PART);
    try {
      while (!over) {
        boolean any = false;
        for (Connection each : connections) {
          any |= each.proceed(dropped);
        }
        if (!any) {
          selector.select(WAIT_MILLIS);
          selector.selectedKeys().clear();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private final class Connection {
    private @Nullable SocketChannel channel;
    private ByteBuffer left = ByteBuffer.wrap(bytes);
    private boolean waits;

    /** Whether it could do anything. */
    boolean proceed(ByteBuffer dropped) throws IOException {
      try {
        if (channel == null) {
          return open();
        }
        if (!channel.finishConnect()) {
          return false;
        }
        boolean read = manner != Manner.DEAF && read(channel, dropped);
        waits &= !read;
        return write(channel) || read;
      } catch (IOException e) { // closed by the server
        end();
        return true;
      }
    }

    private boolean open() throws IOException {
      channel = SocketChannel.open();
      channel.configureBlocking(false);
      if (manner == Manner.DEAF) {
        channel.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
      }
      channel.connect(server);
      channel.register(selector, SelectionKey.OP_CONNECT);
      left = ByteBuffer.wrap(bytes);
      waits = opened.incrementAndGet() % 2 == 0;
      return false;
    }

    private boolean read(SocketChannel from, ByteBuffer dropped) throws IOException {
      dropped.clear();
      int count = from.read(dropped);
      if (count < 0) {
        throw new IOException("closed");
      }
      return count > 0;
    }

    private boolean write(SocketChannel to) throws IOException {
      if (!left.hasRemaining()) {
        switch (manner) {
          case SILENT -> {
            to.register(selector, SelectionKey.OP_READ);
            return false;
          }
          case LEAVING -> {
            if (!waits) {
              end();
            }
            return !waits;
          }
          default -> left.position(repeatedFrom);
        }
      }
      int before = left.position();
      int most = manner == Manner.DRIPPING ? 1 : PART;
      left.limit(Math.min(bytes.length, before + most));
      to.write(left);
      left.limit(bytes.length);
      int count = left.position() - before;
      sent.addAndGet(count);
      to.register(
          selector,
          manner == Manner.DEAF
              ? SelectionKey.OP_WRITE
              : SelectionKey.OP_READ | (count == 0 ? SelectionKey.OP_WRITE : 0));
      return count > 0 && manner != Manner.DRIPPING; // else one turn for each wait
    }

    private void end() throws IOException {
      if (channel != null) {
        channel.close();
        channel = null;
      }
    }
  }

  @Override
  public void close() throws IOException {
    over = true;
    selector.wakeup();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (Connection each : connections) {
      each.end();
    }
    selector.close();
  }
}
