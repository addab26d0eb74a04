package org.hourstone.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.hourstone.DaemonSettings;
import org.hourstone.Settings;
import org.hourstone.TsdbOptions;

/** Certificates and keys in a directory. */
public record TlsFiles(Path directory) {
  private static final String PASSWORD = "changeit";

  /** Makes {@code NAME.pem}, with the chain, and {@code NAME.key}. */
  public TlsFiles make(String name, String kind, String... more) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                kind,
                "-dname",
                "CN=" + name,
                "-storetype",
                "PKCS12",
                "-keystore",
                directory.resolve("store.p12").toString(),
                "-storepass",
                PASSWORD));
    command.addAll(List.of(more));
    Process keytool =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("keytool.log").toFile())
            .start();
    assertThat(keytool.waitFor())
        .as("keytool: %s", Files.readString(directory.resolve("keytool.log")))
        .isZero();
    KeyStore keys = keys();
    StringBuilder chain = new StringBuilder();
    for (Certificate each : keys.getCertificateChain(name)) {
      chain.append(pem("CERTIFICATE", each.getEncoded()));
    }
    write(name + ".pem", chain.toString());
    write(
        name + ".key", pem("PRIVATE KEY", keys.getKey(name, PASSWORD.toCharArray()).getEncoded()));
    return this;
  }

  private KeyStore keys() throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(directory.resolve("store.p12"))) {
      keys.load(in, PASSWORD.toCharArray());
    }
    return keys;
  }

  public static String pem(String kind, byte[] content) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(
            kind, Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(content), kind);
  }

  public Path write(String file, String text) throws IOException {
    return Files.writeString(directory.resolve(file), text);
  }

  public String read(String file) throws IOException {
    return Files.readString(directory.resolve(file));
  }

  /** A client that trusts one certificate. */
  public SSLContext clientOf(String name) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("server", keys().getCertificate(name));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext client = SSLContext.getInstance("TLS");
    client.init(null, trust.getTrustManagers(), null);
    return client;
  }

  /**
   * @param certificate a file; empty for none
   */
  public TsdbOptions options(String certificate, String key) {
    return TsdbOptions.defaults()
        .with(Settings.AUTO_CREATE_METRICS, "true")
        .with(
            DaemonSettings.TLS_CERTIFICATE,
            certificate.isEmpty() ? "" : directory.resolve(certificate).toString())
        .with(DaemonSettings.TLS_KEY, key.isEmpty() ? "" : directory.resolve(key).toString());
  }
}
