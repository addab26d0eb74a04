package org.hourstone.server;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLException;
import org.hourstone.DaemonSettings;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.Refusals;
import org.jspecify.annotations.Nullable;

/** The server's certificate and key, with which a handshake has succeeded. */
final class Tls {
  private static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");

  /** Those with forward secrecy and authenticated encryption. */
  private static final List<String> SUITES =
      List.of(
          "TLS_AES_128_GCM_SHA256",
          "TLS_AES_256_GCM_SHA384",
          "TLS_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

  private final SslContext context;

  private Tls(SslContext context) {
    this.context = context;
  }

  /**
   * The certificate and key of the settings; null if the port accepts plain connections.
   *
   * @throws IllegalArgumentException if only one of the files is set, or they can't be used
   */
  static @Nullable Tls of(TsdbOptions options) {
    String certificate = options.get(DaemonSettings.TLS_CERTIFICATE);
    String key = options.get(DaemonSettings.TLS_KEY);
    if (certificate.isEmpty() && key.isEmpty()) {
      return null;
    }
    if (certificate.isEmpty() || key.isEmpty()) {
      throw new IllegalArgumentException(
          DaemonSettings.TLS_CERTIFICATE.key()
              + " and "
              + DaemonSettings.TLS_KEY.key()
              + " must be set together");
    }
    try {
      TlsIdentity identity = TlsIdentity.read(certificate, key, options.clock().instant());
      SecretFile.warnIfShared(DaemonSettings.TLS_KEY, Path.of(key));
      SslContext context =
          SslContextBuilder.forServer(
                  identity.key(), identity.chain().toArray(X509Certificate[]::new))
              .sslProvider(SslProvider.JDK)
              .protocols(PROTOCOLS)
              .ciphers(SUITES, SupportedCipherSuiteFilter.INSTANCE)
              .build();
      TrialHandshake.of(context);
      return new Tls(context);
    } catch (TlsIdentity.UnusableException | SSLException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "can't use the certificate " + certificate + " with the key " + key + ": " + reason(e),
          e);
    }
  }

  private static String reason(Exception e) {
    return e instanceof SSLException
        ? "a handshake fails: " + e.getMessage()
        : String.valueOf(e.getMessage());
  }

  /** Handshakes in memory, as with a client; the first ones of a process take long. */
  void tryHandshake() throws SSLException {
    TrialHandshake.of(context);
  }

  /**
   * The handler for a new connection.
   *
   * @param handshakes computes keys and signatures; at most one task a connection at a time
   */
  SslHandler handler(
      ByteBufAllocator memory, Executor handshakes, Connections connections, Refusals refusals) {
    return new TlsConnection(context.newEngine(memory), handshakes, connections, refusals);
  }
}
