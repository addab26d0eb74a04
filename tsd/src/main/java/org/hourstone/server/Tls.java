package org.hourstone.server;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.File;
import javax.net.ssl.SSLException;
import org.hourstone.Settings;
import org.hourstone.TsdbOptions;
import org.jspecify.annotations.Nullable;

/** The server's certificate and key. */
final class Tls {
  private Tls() {}

  /**
   * Null if the port takes plain connections.
   *
   * @throws IllegalArgumentException if only one of the files is set, or one can't be used
   */
  static @Nullable SslContext of(TsdbOptions options) {
    String certificate = options.get(Settings.TLS_CERTIFICATE);
    String key = options.get(Settings.TLS_KEY);
    if (certificate.isEmpty() && key.isEmpty()) {
      return null;
    }
    if (certificate.isEmpty() || key.isEmpty()) {
      throw new IllegalArgumentException(
          Settings.TLS_CERTIFICATE.key() + " and " + Settings.TLS_KEY.key() + " need each other");
    }
    try {
      return SslContextBuilder.forServer(new File(certificate), new File(key))
          .sslProvider(SslProvider.JDK)
          .build();
    } catch (SSLException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "can't use the certificate " + certificate + " with the key " + key + ": " + reason(e),
          e);
    }
  }

  private static String reason(Exception e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return String.valueOf(cause.getMessage());
  }
}
