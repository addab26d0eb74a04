package org.hourstone.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslHandler;
import java.util.List;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/**
 * A connection with TLS. What a handshake computes takes milliseconds, so threads of their own do
 * it, and those of the network serve other connections. The connection is closed if its client
 * begins a second handshake, which takes much more of the server's time than of the client's; TLS
 * 1.3 has none.
 */
@SuppressWarnings("FutureReturnValueIgnored") // closing
final class TlsConnection extends SslHandler {
  private static final byte HANDSHAKE = 22;
  private static final String LAST_WITH_RENEGOTIATION = "TLSv1.2";

  private final Connections connections;

  TlsConnection(SSLEngine engine, Executor handshakes, Connections connections) {
    super(engine, handshakes);
    this.connections = connections;
  }

  /** Called for each record, complete or not. */
  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out)
      throws SSLException {
    if (in.isReadable()
        && in.getByte(in.readerIndex()) == HANDSHAKE
        && handshakeFuture().isSuccess()
        && engine().getSession().getProtocol().equals(LAST_WITH_RENEGOTIATION)) {
      in.skipBytes(in.readableBytes());
      connections.failed();
      context.close();
    } else {
      super.decode(context, in, out);
    }
  }
}
