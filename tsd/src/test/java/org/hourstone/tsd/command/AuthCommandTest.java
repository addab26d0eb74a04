package org.hourstone.tsd.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.hourstone.tsd.CommandRun;
import org.junit.jupiter.api.Test;

/** {@code auth} makes lines for the file of accounts. */
class AuthCommandTest {
  @Test
  void ofAUser() {
    CommandRun run = CommandRun.withInput("secret\nmore", "auth", "alice", "--roles", "write,read");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .matches("alice read,write pbkdf2-sha256:210000:[A-Za-z0-9+/=]{24}:[A-Za-z0-9+/=]{44}\n");
    assertThat(run.err()).isEmpty();
  }

  @Test
  void ofAToken() {
    CommandRun run = CommandRun.of("auth", "grafana", "--roles", "read", "--token");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).matches("grafana read sha256:[A-Za-z0-9+/=]{44}\n");
    assertThat(run.err()).matches("hourstone: the token: [A-Za-z0-9_-]{43}\n");
  }

  @Test
  void wrongOnesAreRefused() {
    assertThat(CommandRun.of("auth", "alice", "--roles", "read").err())
        .startsWith("hourstone: no password on standard input\n");
    assertThat(CommandRun.withInput("x\n", "auth", "al ice", "--roles", "read").exitCode())
        .isNotZero();
    assertThat(CommandRun.withInput("x\n", "auth", "alice", "--roles", "root").err())
        .contains("not read, write or admin: root");
  }
}
