package org.hourstone.server;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.hourstone.DaemonSettings;
import org.hourstone.api.request.Role;
import org.jspecify.annotations.Nullable;

/**
 * The accounts of the server's users: the lines {@code NAME ROLES SECRET} of a file, described in
 * {@code docs/daemon.md}. Immutable.
 */
public final class Accounts {
  private static final int TOKEN_BYTES = 32;

  private record Account(Set<Role> roles, Secret secret) {}

  private final Map<String, Account> users = new HashMap<>();
  private final Map<String, Account> tokens = new HashMap<>();

  /** The secret of users that don't exist, so that refusing them takes the same time. */
  private final Secret.Password unknown = Secret.Password.of("");

  private final Secret.Hash hash;

  /** The rounds with which every password is checked, whatever those of its user are. */
  private int rounds = unknown.iterations();

  private Accounts(Secret.Hash hash) {
    this.hash = hash;
  }

  /**
   * @throws IllegalArgumentException if the file can't be read or contains an invalid line
   */
  static Accounts read(Path file) {
    try {
      return of(Files.readAllLines(file), file.toString());
    } catch (IOException e) {
      throw new IllegalArgumentException(
          DaemonSettings.ACCOUNTS.key() + "=" + file + ": " + reason(e), e);
    }
  }

  /** Messages of the JDK are often only the file's name, or say nothing. */
  private static String reason(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "no such file";
    }
    if (e instanceof AccessDeniedException) {
      return SecretFile.denied();
    }
    return e instanceof CharacterCodingException
        ? "not UTF-8 text"
        : String.valueOf(e.getMessage());
  }

  static Accounts of(List<String> lines, String file) {
    return of(lines, file, Secret.Password::hash);
  }

  /**
   * @param hash hashes passwords
   */
  static Accounts of(List<String> lines, String file, Secret.Hash hash) {
    Accounts accounts = new Accounts(hash);
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (!line.isEmpty() && !line.startsWith("#")) {
        try {
          accounts.add(line.split("\\s+"));
        } catch (IllegalArgumentException e) { // its message may contain a part of a secret
          throw new IllegalArgumentException(
              file
                  + ":"
                  + (i + 1)
                  + (e instanceof SecondPasswordException
                      ? ": a second password of a user: remove the first"
                      : ": not a name, roles and a secret"),
              e);
        }
      }
    }
    return accounts;
  }

  private void add(String[] words) {
    if (words.length != 3) {
      throw new IllegalArgumentException("not three words");
    }
    checkName(words[0]);
    Account account = new Account(roles(words[1]), Secret.parse(words[2]));
    if (account.secret() instanceof Secret.Token token) {
      tokens.put(token.text(), account);
      return;
    }
    rounds = Math.max(rounds, ((Secret.Password) account.secret()).iterations());
    if (users.put(words[0], account) != null) {
      throw new SecondPasswordException();
    }
  }

  private static final class SecondPasswordException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;
  }

  /** The roles of a user; null if the user does not exist or the password is wrong. */
  @Nullable Set<Role> ofPassword(String user, String password) {
    Account account = users.get(user);
    Secret secret = account == null ? unknown : account.secret();
    boolean is = ((Secret.Password) secret).is(password, rounds, hash);
    return account != null && is ? account.roles() : null;
  }

  /** The roles of a token's owner; null if there is no such token. */
  @Nullable Set<Role> ofToken(String token) {
    Account account = tokens.get(Secret.Token.of(token).text()); // a hash: its time reveals nothing
    return account != null && ((Secret.Token) account.secret()).is(token) ? account.roles() : null;
  }

  /**
   * The line for a user.
   *
   * @throws IllegalArgumentException if the name or the roles are invalid
   */
  public static String userLine(String name, String roles, String password) {
    return line(name, roles, Secret.Password.of(password));
  }

  /**
   * The line for a token.
   *
   * @throws IllegalArgumentException if the name or the roles are invalid
   */
  public static String tokenLine(String name, String roles, String token) {
    return line(name, roles, Secret.Token.of(token));
  }

  /** A new token. */
  public static String newToken() {
    byte[] token = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(token);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
  }

  private static String line(String name, String roles, Secret secret) {
    checkName(name);
    String known =
        roles(roles).stream()
            .map(role -> role.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(","));
    return name + " " + known + " " + secret.text();
  }

  private static void checkName(String name) {
    if (!name.matches("[A-Za-z0-9][A-Za-z0-9._@-]{0,99}")) {
      throw new IllegalArgumentException("not a name of letters, digits and . _ @ -: " + name);
    }
  }

  private static Set<Role> roles(String text) {
    Set<Role> roles = EnumSet.noneOf(Role.class);
    for (String word : text.split(",")) {
      if (!List.of("read", "write", "admin").contains(word)) {
        throw new IllegalArgumentException("not read, write or admin: " + word);
      }
      roles.add(Role.valueOf(word.toUpperCase(Locale.ROOT)));
    }
    return roles;
  }
}
