package org.hourstone.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelOption;
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
  private static final long EARNED_BY_CHUNK =
      TimeUnit.SECONDS.toNanos(1) * CHUNK / ArrivalTime.BYTES_PER_SECOND;

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
  private final HttpResponseStatus status;
  private final HttpHeaders headers;
  private final boolean chunks;
  private ByteBuf buffer;
  private boolean begun;

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
      HttpResponseStatus status,
      HttpHeaders headers,
      boolean chunks) {
    this.channel = channel;
    this.pace = pace;
    this.clients = clients;
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
      if (buffer.readableBytes() == CHUNK) {
        sendChunk();
      }
      int part = Math.min(length - done, CHUNK - buffer.readableBytes());
      buffer.writeBytes(bytes, from + done, part);
      done += part;
    }
  }

  private void sendChunk() throws IOException {
    patience = clients.await(pace, patience) + EARNED_BY_CHUNK;
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
    buffer = channel.alloc().buffer(CHUNK, CHUNK);
    channel.writeAndFlush(new DefaultHttpContent(chunk));
  }

  private void setLinger(int seconds) throws IOException {
    try {
      channel.config().setOption(ChannelOption.SO_LINGER, seconds);
    } catch (ChannelException e) { // it has been closed
      throw new IOException(e);
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
      channel
          .writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT)
          .addListener(
              sent -> {
                if (!chunks && sent.isSuccess() && channel.isOpen()) {
                  setLinger(NO_RESET);
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
      channel.writeAndFlush(response);
    }
  }

  /** Releases its buffer; bytes not sent by {@link #end} are dropped. */
  @Override
  public void close() {
    buffer.release();
  }
}
