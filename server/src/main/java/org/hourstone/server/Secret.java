package org.hourstone.server;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * The stored form of a password or a token. A password is hashed slowly, since people choose
 * passwords that can be guessed. A token has 256 random bits: it can't be guessed, so a fast hash
 * is sufficient and allows a lookup.
 */
sealed interface Secret {
  /** The text written to the file. */
  String text();

  /**
   * @throws IllegalArgumentException if it is not the text of a secret
   */
  static Secret parse(String text) {
    String[] parts = text.split(":");
    if (parts[0].equals(Token.KIND) && parts.length == 2) {
      return new Token(Base64.getDecoder().decode(parts[1]));
    }
    if (parts[0].equals(Password.KIND) && parts.length == 4) {
      int iterations = Integer.parseInt(parts[1]);
      if (iterations < 1 || iterations > Password.MOST_ITERATIONS) {
        throw new IllegalArgumentException("iterations: " + iterations);
      }
      return new Password(
          iterations, Base64.getDecoder().decode(parts[2]), Base64.getDecoder().decode(parts[3]));
    }
    throw new IllegalArgumentException("not the hash of a password or token");
  }

  /** The stored form of a token. */
  record Token(byte[] hash) implements Secret {
    private static final String KIND = "sha256";

    static Token of(String token) {
      return new Token(hash(token));
    }

    private static byte[] hash(String token) {
      try {
        return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException(e); // every JDK has it
      }
    }

    /** Whether this is the stored form of a token; takes the same time if it is not. */
    boolean is(String token) {
      return MessageDigest.isEqual(hash, hash(token));
    }

    @Override
    public String text() {
      return KIND + ":" + Base64.getEncoder().encodeToString(hash);
    }
  }

  /** Hashes a password in a number of rounds, each of which takes the same time. */
  interface Hash {
    byte[] of(String password, byte[] salt, int rounds);
  }

  /** The stored form of a password, hashed by PBKDF2. */
  record Password(int iterations, byte[] salt, byte[] hash) implements Secret {
    private static final String KIND = "pbkdf2-sha256";
    private static final int MOST_ITERATIONS = 10_000_000;
    private static final int ITERATIONS = 210_000;
    private static final int BYTES = 32;

    static Password of(String password) {
      byte[] salt = new byte[16];
      new SecureRandom().nextBytes(salt);
      return new Password(ITERATIONS, salt, hash(password, salt, ITERATIONS));
    }

    static byte[] hash(String password, byte[] salt, int iterations) {
      PBEKeySpec key = new PBEKeySpec(password.toCharArray(), salt, iterations, 8 * BYTES);
      try {
        return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
            .generateSecret(key)
            .getEncoded();
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException(e); // every JDK has it
      } finally {
        key.clearPassword();
      }
    }

    /**
     * Whether this is the stored form of a password; takes the same time if it is not.
     *
     * @param rounds how many are calculated, at least its own number of iterations
     */
    boolean is(String password, int rounds, Hash by) {
      boolean is = MessageDigest.isEqual(hash, by.of(password, salt, iterations));
      if (rounds > iterations) {
        by.of(password, salt, rounds - iterations);
      }
      return is;
    }

    @Override
    public String text() {
      Base64.Encoder base64 = Base64.getEncoder();
      return String.join(
          ":",
          KIND,
          Integer.toString(iterations),
          base64.encodeToString(salt),
          base64.encodeToString(hash));
    }
  }
}
