package org.hourstone.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A private key, and the chain of certificates whose first one belongs to it and is valid.
 *
 * @param chain the server's certificate, then that of its issuer, and so on
 */
record TlsIdentity(PrivateKey key, List<X509Certificate> chain) {
  /** A block of a PEM file; its first group is the kind, its second the content. */
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END ");

  private static final List<String> KEY_KINDS = List.of("RSA", "RSASSA-PSS", "EC", "EdDSA", "DSA");
  private static final String KEY = "PRIVATE KEY";
  private static final String CERTIFICATE = "CERTIFICATE";

  /** What is wrong with the files, which may be others at the next attempt. */
  static final class UnusableException extends IOException {
    private static final long serialVersionUID = 1L;

    UnusableException(String message) {
      super(message);
    }

    @Override
    public String getMessage() {
      return String.valueOf(super.getMessage());
    }
  }

  /**
   * Reads and checks the files.
   *
   * @throws UnusableException if they can't be used at that time
   */
  static TlsIdentity read(String certificates, String key, Instant now) throws UnusableException {
    List<X509Certificate> chain = certificates(certificates);
    TlsIdentity read = new TlsIdentity(key(key), chain);
    read.checkKey();
    read.checkTime(now);
    read.checkOrder();
    return read;
  }

  private static List<X509Certificate> certificates(String file) throws UnusableException {
    List<X509Certificate> chain = new ArrayList<>();
    Matcher block = BLOCK.matcher(text(file));
    while (block.find()) {
      if (block.group(1).endsWith(CERTIFICATE)) {
        chain.add(certificate(block.group(2), file + ", certificate " + (chain.size() + 1)));
      }
    }
    if (chain.isEmpty()) {
      throw new UnusableException(file + " contains no certificate in the format PEM");
    }
    return chain;
  }

  private static X509Certificate certificate(String content, String where)
      throws UnusableException {
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(bytes(content, where)));
    } catch (CertificateException e) {
      throw new UnusableException(where + ": " + e.getMessage());
    }
  }

  private static byte[] bytes(String content, String where) throws UnusableException {
    try {
      return Base64.getMimeDecoder().decode(content);
    } catch (IllegalArgumentException e) {
      throw new UnusableException(where + ": " + e.getMessage());
    }
  }

  private static PrivateKey key(String file) throws UnusableException {
    Matcher block = BLOCK.matcher(text(file));
    boolean other = false;
    while (block.find()) {
      if (block.group(1).equals(KEY)) {
        return key(bytes(block.group(2), file), file);
      }
      other |= block.group(1).endsWith(KEY);
    }
    throw new UnusableException(
        other
            ? "the key is not in PKCS 8, or encrypted; this converts it:"
                + " openssl pkcs8 -topk8 -nocrypt -in "
                + file
                + " -out pkcs8.pem"
            : file + " contains no private key in the format PEM");
  }

  private static PrivateKey key(byte[] content, String file) throws UnusableException {
    for (String kind : KEY_KINDS) {
      try {
        return KeyFactory.getInstance(kind).generatePrivate(new PKCS8EncodedKeySpec(content));
      } catch (InvalidKeySpecException e) {
        // It may be of the next kind.
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException(e); // every JDK has it
      }
    }
    throw new UnusableException(
        file + " contains a corrupt private key, or one of a kind other than RSA, EC or EdDSA");
  }

  private static String text(String file) throws UnusableException {
    try {
      return Files.readString(Path.of(file), ISO_8859_1);
    } catch (NoSuchFileException e) {
      throw new UnusableException(file + ": no such file");
    } catch (AccessDeniedException e) {
      throw new UnusableException(file + ": " + SecretFile.denied());
    } catch (IOException | InvalidPathException e) {
      throw new UnusableException(file + ": " + e.getMessage());
    }
  }

  private void checkKey() throws UnusableException {
    for (int i = 0; i < chain.size(); i++) {
      if (isOfKey(chain.get(i).getPublicKey())) {
        if (i > 0) {
          throw new UnusableException(
              "the key belongs to certificate "
                  + (i + 1)
                  + " of the file; the server's own must be the first");
        }
        return;
      }
    }
    throw new UnusableException(
        "the key does not belong to the certificate of " + name(chain.get(0)));
  }

  private boolean isOfKey(PublicKey other) {
    if (key instanceof RSAKey own) {
      return other instanceof RSAKey rsa && rsa.getModulus().equals(own.getModulus());
    }
    byte[] some = {1, 2, 3};
    try {
      Signature signature =
          Signature.getInstance(
              key.getAlgorithm().startsWith("Ed") ? "EdDSA" : "SHA256with" + signing());
      signature.initSign(key);
      signature.update(some);
      byte[] signed = signature.sign();
      signature.initVerify(other);
      signature.update(some);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false; // the other is of another kind
    }
  }

  private String signing() {
    return key.getAlgorithm().equals("EC") ? "ECDSA" : key.getAlgorithm();
  }

  private void checkTime(Instant now) throws UnusableException {
    for (X509Certificate each : chain) {
      boolean isRoot = each.getIssuerX500Principal().equals(each.getSubjectX500Principal());
      if (isRoot && !each.equals(chain.get(0))) {
        continue; // clients use their own copy
      }
      if (now.isAfter(each.getNotAfter().toInstant())) {
        throw new UnusableException(
            "the certificate of " + name(each) + " expired at " + each.getNotAfter().toInstant());
      }
      if (now.isBefore(each.getNotBefore().toInstant())) {
        throw new UnusableException(
            "the certificate of "
                + name(each)
                + " is not valid before "
                + each.getNotBefore().toInstant());
      }
    }
  }

  private void checkOrder() throws UnusableException {
    for (int i = 1; i < chain.size(); i++) {
      try {
        chain.get(i - 1).verify(chain.get(i).getPublicKey());
      } catch (GeneralSecurityException e) {
        throw new UnusableException(
            "certificate "
                + (i + 1)
                + " of the file, of "
                + name(chain.get(i))
                + ", is not that of the issuer of the one before");
      }
    }
  }

  private static String name(X509Certificate certificate) {
    return certificate.getSubjectX500Principal().getName();
  }
}
