package org.hourstone.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeUnit;

/**
 * The body of a response. A short body is sent with its length, a longer one in chunks, at the
 * client's pace. For an HTTP/1.0 client, a longer body ends with the connection. Until all of such
 * a body has been sent, any close of the connection is a reset, since the client would otherwise
 * mistake a part of the body for the whole. For one thread.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failure to send ends the connection
final class ResponseStream extends OutputStream {
  private static final int CHUNK = 32 * 1024;

  /** Without room in the account, a response is sent in these, one at a time. */
  private static final int SMALL_CHUNK = 4 * 1024;

  /** Two chunks wait to be sent, and one is written. */
  private static final int ROOM = 3 * CHUNK;

  private static final WriteBufferWaterMark SMALL_MARK = new WriteBufferWaterMark(1, SMALL_CHUNK);
  private static final long EARNED_BY_BYTE =
      TimeUnit.SECONDS.toNanos(1) / ArrivalTime.BYTES_PER_SECOND;

  /**
   * The seconds for which the system sends remaining bytes when a connection is closed; 0 for a
   * reset.
   */
  private static final int RESET = 0;

  /** The system sends all remaining bytes, without a time limit. */
  private static final int NO_RESET = -1;

  private final Channel channel;
  private final ClientPace pace;
  private final SlowClients clients;
  private final ClientLimits limits;
  private final HttpResponseStatus status;
  private final HttpHeaders headers;
  private final boolean chunks;
  private ByteBuf buffer;
  private boolean begun;

  /** The most that the buffer gets before it is sent; 0 until that is decided. */
  private int chunkSize;

  /** Whether room was taken that is not released yet. */
  private boolean hasRoom;

  /**
   * How long the client may still keep this waiting, in nanoseconds; it increases as the client
   * accepts bytes.
   */
  private long patience;

  /**
   * @param clients the clients for which the threads of the pool wait
   * @param headers the headers of the response, except those of its length
   * @param chunks whether the client understands chunks
   */
  ResponseStream(
      Channel channel,
      ClientPace pace,
      SlowClients clients,
      ClientLimits limits,
      HttpResponseStatus status,
      HttpHeaders headers,
      boolean chunks) {
    this.channel = channel;
    this.pace = pace;
    this.clients = clients;
    this.limits = limits;
    this.status = status;
    this.headers = headers;
    this.chunks = chunks;
    this.patience = pace.patience().toNanos();
    this.buffer = channel.alloc().buffer(256, CHUNK);
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b});
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    int done = 0;
    while (done < length) {
      if (chunkSize == 0 && buffer.readableBytes() + length - done > SMALL_CHUNK) {
        chooseChunk();
      }
      int most = chunkSize == 0 ? SMALL_CHUNK : chunkSize;
      if (buffer.readableBytes() >= most) {
        sendChunk();
      }
      int part = Math.min(length - done, most - buffer.readableBytes());
      buffer.writeBytes(bytes, from + done, part);
      done += part;
    }
  }

  private void chooseChunk() {
    hasRoom = limits.responses().take(ROOM);
    chunkSize = hasRoom ? CHUNK : SMALL_CHUNK;
    if (!hasRoom) {
      limits.count(ClientLimits.Limited.RESPONSE);
    }
    channel.config().setWriteBufferWaterMark(hasRoom ? WriteBufferWaterMark.DEFAULT : SMALL_MARK);
  }

  private void releaseRoom(ChannelFuture sent) {
    if (hasRoom) {
      hasRoom = false;
      sent.addListener(end -> limits.responses().release(ROOM));
    }
  }

  private void sendChunk() throws IOException {
    patience = clients.await(pace, patience) + EARNED_BY_BYTE * buffer.readableBytes();
    if (!begun) {
      begun = true;
      HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status, headers);
      if (chunks) {
        head.headers().set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
      } else {
        head.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        setLinger(RESET);
      }
      channel.write(head);
    }
    ByteBuf chunk = buffer;
    buffer = channel.alloc().buffer(chunkSize, CHUNK);
    channel.writeAndFlush(new DefaultHttpContent(chunk));
  }

  private void setLinger(int seconds) throws IOException {
    if (!trySetLinger(seconds)) {
      throw new ClosedChannelException();
    }
  }

  private boolean trySetLinger(int seconds) {
    try {
      channel.config().setOption(ChannelOption.SO_LINGER, seconds);
      return true;
    } catch (ChannelException e) { // it has been closed
      return false;
    }
  }

  /** Whether a part of the response was sent, so that no other response can replace it. */
  boolean hasBegun() {
    return begun;
  }

  /** Whether the end of the body is marked by the end of the connection. */
  boolean endsWithConnection() {
    return begun && !chunks;
  }

  /** Sends the rest. */
  void end() throws IOException {
    if (begun) {
      sendChunk();
      ChannelFuture end = channel.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT);
      releaseRoom(end);
      end.addListener(
          sent -> {
            if (!chunks && sent.isSuccess()) {
              var unused = trySetLinger(NO_RESET);
            }
          });
    } else {
      ByteBuf whole = buffer.retain();
      var response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, whole);
      response.headers().set(headers);
      if (status.code() != HttpResponseStatus.NO_CONTENT.code()
          && status.code() != HttpResponseStatus.NOT_MODIFIED.code()) {
        response.headers().set(HttpHeaderNames.CONTENT_LENGTH, whole.readableBytes());
      }
      releaseRoom(channel.writeAndFlush(response));
    }
  }

  /** Releases its buffer; bytes not sent by {@link #end} are dropped. */
  @Override
  public void close() {
    buffer.release();
    if (!begun && hasRoom) {
      hasRoom = false;
      limits.responses().release(ROOM);
    }
    releaseRoom(channel.closeFuture()); // the response is cut off
  }
}
