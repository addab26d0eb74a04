package org.hourstone.tsd.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.hourstone.internal.Json;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.tsd.session.SettingsCheck;
import org.hourstone.tsd.session.SettingsCheck.Finding;
import org.hourstone.tsd.session.SettingsCheck.Kind;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code config check}. */
@Command(
    name = "check",
    description = {
      "Shows what each setting in a file means here, such as in the opentsdb.conf of an OpenTSDB"
          + " that is replaced: whether it applies, differs, has no effect or is unknown.",
      "",
      "The exit status is 1 if a value is invalid. No store is opened."
    },
    footer = {
      "  hourstone config check /etc/opentsdb/opentsdb.conf",
      "  hourstone --opentsdb-defaults config check opentsdb.conf",
      "  hourstone config check --json hourstone.conf"
    })
final class ConfigCheckCommand extends SessionCommand {
  private static final Map<Kind, String> TITLES =
      Map.of(
          Kind.INVALID, "invalid:",
          Kind.UNKNOWN, "unknown:",
          Kind.NO_EFFECT, "without effect:",
          Kind.DIFFERS, "different from OpenTSDB:",
          Kind.APPLIES, "as in OpenTSDB:");

  private static final List<Kind> ORDER =
      List.of(Kind.INVALID, Kind.UNKNOWN, Kind.NO_EFFECT, Kind.DIFFERS, Kind.APPLIES);

  @Parameters(paramLabel = "FILE", description = "Settings, in the format of opentsdb.conf.")
  Path file = Path.of("");

  @Option(names = "--json", description = "Writes an array of JSON objects, one for each setting.")
  boolean json;

  @Override
  protected boolean run() {
    List<Finding> findings = SettingsCheck.of(file, session().settings().isStrict());
    if (json) {
      out().line(Json.text(toJson(findings)));
    } else {
      ORDER.forEach(kind -> show(kind, findings));
    }
    boolean valid = true;
    for (Finding finding : findings) {
      if (finding.kind() == Kind.INVALID) {
        session().report(file + ":" + text(finding));
        valid = false;
      }
    }
    return valid;
  }

  private void show(Kind kind, List<Finding> findings) {
    List<Finding> some = findings.stream().filter(finding -> finding.kind() == kind).toList();
    if (!some.isEmpty() && kind != Kind.INVALID) { // those are errors
      out().line(String.valueOf(TITLES.get(kind)));
      some.forEach(finding -> out().line("  " + text(finding)));
    }
  }

  private static String text(Finding finding) {
    return (finding.line() == SettingsCheck.NO_LINE ? "" : finding.line() + ": ")
        + finding.key()
        + "="
        + finding.value()
        + (finding.note().isEmpty() ? "" : ": " + finding.note());
  }

  private static ArrayNode toJson(List<Finding> findings) {
    ArrayNode all = Json.array();
    for (Finding finding : findings) {
      var one = all.addObject().put("kind", finding.kind().name().toLowerCase(Locale.ROOT));
      if (finding.line() != SettingsCheck.NO_LINE) {
        one.put("line", finding.line());
      }
      one.put("key", finding.key()).put("value", finding.value()).put("note", finding.note());
    }
    return all;
  }
}
