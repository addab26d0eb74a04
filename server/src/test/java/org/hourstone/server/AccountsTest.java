package org.hourstone.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.hourstone.DaemonSettings;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.Role;
import org.hourstone.testkit.LoggedBy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The time of a check tells nothing about accounts, and neither does their file to others. */
class AccountsTest {
  private static String line(String name, int rounds) {
    byte[] salt = name.getBytes(StandardCharsets.UTF_8);
    return name
        + " read "
        + new Secret.Password(rounds, salt, Secret.Password.hash("right", salt, rounds)).text();
  }

  @ParameterizedTest
  @CsvSource({"10, 20, 210000", "10, 300000, 300000", "210000, 210000, 210000"})
  void eachCheckTakesTheSameWork(int few, int many, int expected) {
    AtomicInteger rounds = new AtomicInteger();
    Accounts accounts =
        Accounts.of(
            List.of(
                line("few", few),
                line("many", many),
                Accounts.tokenLine("collector", "write", "token")),
            "accounts",
            (password, salt, count) -> {
              rounds.addAndGet(count);
              return Secret.Password.hash(password, salt, count);
            });
    for (String user : List.of("few", "many", "unknown", "collector", "")) {
      boolean isKnown = user.equals("few") || user.equals("many");
      for (String password : List.of("right", "wrong", "")) {
        rounds.set(0);
        assertThat(accounts.ofPassword(user, password))
            .isEqualTo(isKnown && password.equals("right") ? Set.of(Role.READ) : null);
        assertThat(rounds).as("rounds for %s with %s", user, password).hasValue(expected);
      }
    }
  }

  /** A file of root, which the daemon's user reads as one of its group, must stay readable. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void theGroupOfTheDaemonMayReadAFileOfAnother(@TempDir Path directory) throws Exception {
    assumeThat(System.getProperty("user.name")).isEqualTo("root"); // who may give files away
    Path file =
        Files.writeString(directory.resolve("accounts"), Accounts.tokenLine("a", "read", "token"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    Files.setAttribute(file, "unix:uid", 65_534);
    String group =
        Files.readAttributes(Path.of("/proc/self"), PosixFileAttributes.class).group().getName();
    try (LoggedBy logged = LoggedBy.thisThread("org.hourstone.server")) {
      SecretFile.warnIfShared(DaemonSettings.ACCOUNTS, file);
      assertThat(logged.messages())
          .singleElement()
          .asString()
          .endsWith("to: chgrp " + group + " " + file + " && chmod 640 " + file);
    }
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aFileThatOthersCanReadIsWarnedOf(@TempDir Path directory) throws Exception {
    Path file =
        Files.writeString(directory.resolve("accounts"), Accounts.tokenLine("a", "read", "token"));
    TsdbOptions options =
        TsdbOptions.defaults()
            .with(DaemonSettings.AUTHENTICATION, "true")
            .with(DaemonSettings.ACCOUNTS, file.toString());
    try (LoggedBy logged = LoggedBy.thisThread("org.hourstone.server")) {
      for (String permissions :
          List.of("rw-------", "rw-r-----", "rw-r--r--", "rw-----w-", "rw-rw----")) {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
        Authentication.of(options);
      }
      assertThat(logged.messages())
          .hasSize(3)
          .allMatch(line -> line.startsWith("hourstone.auth.file: other users of this machine can"))
          .allMatch(line -> line.endsWith("chmod 600 " + file));
    }
  }
}
