package org.hourstone.tsd.command;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.hourstone.server.Accounts;
import org.hourstone.tsd.session.CommandException;
import org.hourstone.tsd.session.GivenSettings;
import org.hourstone.tsd.session.Problem;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.tsd.session.UsageException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code auth}: makes an entry of the daemon's file of accounts. */
@Command(
    name = "auth",
    description = {
      "Writes a line for the file of hourstone.auth.file: for a user, whose password is the first"
          + " line of standard input, or for a new token, which is shown on standard error and not"
          + " stored."
    },
    footer = {
      "  hourstone auth alice --roles read,write < password >> accounts",
      "  hourstone auth grafana --roles read --token >> accounts"
    })
public final class AuthCommand extends SessionCommand {
  @Parameters(
      paramLabel = "NAME",
      description = "Name of the user, or of the client with the token.")
  String name = "";

  @Option(
      names = "--roles",
      paramLabel = "ROLES",
      required = true,
      description = "One or more of read, write and admin, separated by commas.")
  String roles = "";

  @Option(names = "--token", description = "A token instead of a password.")
  boolean token;

  @Override
  protected boolean run() {
    if (token) {
      String made = Accounts.newToken();
      out().line(GivenSettings.given(() -> Accounts.tokenLine(name, roles, made)));
      session().report("the token: " + made);
      return true;
    }
    BufferedReader in =
        new BufferedReader(new InputStreamReader(session().streams().in(), StandardCharsets.UTF_8));
    @Nullable String password;
    try {
      password = session().inIsTerminal() ? typed(in) : in.readLine();
    } catch (IOException e) {
      throw new CommandException("can't read standard input: " + Problem.reason(e), e);
    }
    if (password == null || password.isEmpty()) {
      throw new UsageException("no password on standard input");
    }
    out().line(GivenSettings.given(() -> Accounts.userLine(name, roles, password)));
    return true;
  }

  /** Reads a line; the launcher has turned off the echo of the terminal. */
  private @Nullable String typed(BufferedReader in) throws IOException {
    session().status().end();
    session().err().print("password: ");
    session().err().flush();
    try {
      return in.readLine();
    } finally {
      session().err().println();
    }
  }
}
