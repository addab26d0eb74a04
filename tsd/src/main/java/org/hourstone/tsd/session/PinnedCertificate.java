package org.hourstone.tsd.session;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Trust in a server that has exactly the certificate of a file, whoever issued it, for whatever
 * names and until whenever: whoever may write the file decides which server is meant. Thread-safe.
 */
final class PinnedCertificate extends X509ExtendedTrustManager {
  /** The first certificate of a PEM file, which is that of the server. */
  private static final Pattern FIRST =
      Pattern.compile("-----BEGIN (?:[A-Z0-9]+ )*CERTIFICATE-----([^-]*)-----END ");

  private final Path file;
  private final Certificate certificate;

  private PinnedCertificate(Path file, Certificate certificate) {
    this.file = file;
    this.certificate = certificate;
  }

  /**
   * For a client that trusts only the certificate of a PEM file.
   *
   * @throws CommandException if the file can't be read, or has no certificate
   */
  static SSLContext client(String pem) {
    try {
      Path file = Path.of(pem);
      PinnedCertificate trust = new PinnedCertificate(file, first(file));
      SSLContext client = SSLContext.getInstance("TLS");
      client.init(null, new TrustManager[] {trust}, null);
      return client;
    } catch (IOException e) {
      throw new CommandException(Problem.of("certificate", Path.of(pem), e), e);
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new CommandException("certificate " + pem + ": " + e.getMessage(), e);
    }
  }

  private static Certificate first(Path file) throws IOException, CertificateException {
    Matcher block = FIRST.matcher(Files.readString(file, ISO_8859_1));
    if (!block.find()) {
      throw new CertificateException("there is no certificate in the format PEM");
    }
    byte[] content = Base64.getMimeDecoder().decode(block.group(1));
    return CertificateFactory.getInstance("X.509")
        .generateCertificate(new ByteArrayInputStream(content));
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String algorithm)
      throws CertificateException {
    if (chain.length == 0 || !chain[0].equals(certificate)) {
      throw new CertificateException("its certificate is not that of " + file);
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String algorithm, @Nullable Socket socket)
      throws CertificateException {
    checkServerTrusted(chain, algorithm);
  }

  @Override
  public void checkServerTrusted(
      X509Certificate[] chain, String algorithm, @Nullable SSLEngine engine)
      throws CertificateException {
    checkServerTrusted(chain, algorithm);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String algorithm)
      throws CertificateException {
    throw new CertificateException("of a client");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String algorithm, @Nullable Socket socket)
      throws CertificateException {
    checkClientTrusted(chain, algorithm);
  }

  @Override
  public void checkClientTrusted(
      X509Certificate[] chain, String algorithm, @Nullable SSLEngine engine)
      throws CertificateException {
    checkClientTrusted(chain, algorithm);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
