package org.hourstone.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.hourstone.DaemonSettings;
import org.hourstone.TsdbOptions;
import org.jspecify.annotations.Nullable;

/** The server's certificate and key. */
final class Tls {
  /** Headers of other key formats; the header of unencrypted PKCS 8 is PRIVATE KEY. */
  private static final Pattern OTHER_FORM = Pattern.compile("-----BEGIN [A-Z]+ PRIVATE KEY-----");

  private Tls() {}

  /**
   * The TLS context; null if the port accepts plain connections.
   *
   * @throws IllegalArgumentException if only one of the files is set, or a file can't be used
   */
  static @Nullable SslContext of(TsdbOptions options) {
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
      return SslContextBuilder.forServer(new File(certificate), new File(key))
          .sslProvider(SslProvider.JDK)
          .build();
    } catch (SSLException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "can't use the certificate "
              + certificate
              + " with the key "
              + key
              + ": "
              + (isOtherForm(key) ? conversion(key) : reason(e)),
          e);
    }
  }

  /** Whether it is a private key in one of the other formats that openssl writes. */
  private static boolean isOtherForm(String key) {
    try {
      return OTHER_FORM.matcher(Files.readString(Path.of(key), ISO_8859_1)).find();
    } catch (IOException unreadable) {
      return false; // the cause has the reason
    }
  }

  private static String conversion(String key) {
    return "the key is not in PKCS 8, or encrypted; this converts it:"
        + " openssl pkcs8 -topk8 -nocrypt -in "
        + key
        + " -out pkcs8.pem";
  }

  private static String reason(Exception e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return String.valueOf(cause.getMessage());
  }
}
