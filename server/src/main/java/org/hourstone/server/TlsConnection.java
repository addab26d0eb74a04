package org.hourstone.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.util.List;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.hourstone.DaemonSettings;
import org.hourstone.api.request.RefusalReason;
import org.hourstone.api.request.Refusals;

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
  private final Refusals refusals;

  TlsConnection(SSLEngine engine, Executor handshakes, Connections connections, Refusals refusals) {
    super(engine, handshakes);
    this.connections = connections;
    this.refusals = refusals;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) throws Exception {
    super.handlerAdded(context);
    handshakeFuture()
        .addListener(
            handshake -> {
              // A client that only connects has sent nothing that could be refused.
              if (handshake.cause() instanceof SSLException e
                  && !(e instanceof SslHandshakeTimeoutException)
                  && context.channel().isActive()) {
                refused(context.channel(), e);
              }
            });
  }

  /** Whatever it would have sent is lost, which it may not report. */
  private void refused(Channel channel, SSLException e) {
    String why =
        e instanceof NotSslRecordException
            ? "without TLS, which " + DaemonSettings.TLS_CERTIFICATE.key() + " requires"
            : "the handshake of TLS failed: " + e.getMessage();
    refusals.write(RefusalReason.FAILED_HANDSHAKES, ClientAddress.of(channel), why, () -> "", null);
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
