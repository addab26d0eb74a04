package org.hourstone.server;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * A handshake in memory with a client that accepts any certificate. It fails if no client could
 * connect, whatever the reason: a key that is too short, of a kind without a suite, or disabled.
 */
final class TrialHandshake {
  private static final int MOST_STEPS = 1_000;
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private TrialHandshake() {}

  /**
   * @throws SSLException if it fails
   */
  static void of(SslContext context) throws SSLException {
    SSLEngine server = context.newEngine(UnpooledByteBufAllocator.DEFAULT);
    SSLEngine client = client();
    ByteBuffer toServer = ByteBuffer.allocate(client.getSession().getPacketBufferSize() * 4);
    ByteBuffer toClient = ByteBuffer.allocate(server.getSession().getPacketBufferSize() * 4);
    client.beginHandshake();
    server.beginHandshake();
    for (int i = 0; i < MOST_STEPS; i++) {
      if (isOver(client) && isOver(server)) {
        return;
      }
      step(client, toClient, toServer);
      step(server, toServer, toClient);
    }
    throw new SSLException("it does not end");
  }

  private static boolean isOver(SSLEngine engine) {
    return engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
  }

  private static void step(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws SSLException {
    switch (engine.getHandshakeStatus()) {
      case NEED_TASK -> {
        for (Runnable task = engine.getDelegatedTask();
            task != null;
            task = engine.getDelegatedTask()) {
          task.run();
        }
      }
      case NEED_WRAP -> engine.wrap(NOTHING, out);
      case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
        in.flip();
        engine.unwrap(in, ByteBuffer.allocate(engine.getSession().getApplicationBufferSize()));
        in.compact();
      }
      default -> {} // it waits for the other
    }
  }

  private static SSLEngine client() throws SSLException {
    try {
      SSLContext any = SSLContext.getInstance("TLS");
      any.init(null, new TrustManager[] {new AcceptingAny()}, null);
      SSLEngine engine = any.createSSLEngine();
      engine.setUseClientMode(true);
      return engine;
    } catch (GeneralSecurityException e) {
      throw new SSLException(e);
    }
  }

  private static final class AcceptingAny extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind, SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
