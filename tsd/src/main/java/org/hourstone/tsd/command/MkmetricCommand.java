package org.hourstone.tsd.command;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.uid.UidKind;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code mkmetric}. */
@Command(
    name = "mkmetric",
    description = {
      "Creates metrics; the same as 'uid assign metrics'.",
      "",
      "Only needed if points don't create metrics (tsd.core.auto_create_metrics)."
    },
    footer = {"  hourstone mkmetric sys.cpu.user sys.cpu.system"})
public final class MkmetricCommand extends SessionCommand {
  @Parameters(arity = "1..*", paramLabel = "NAME", description = "Names of new metrics.")
  List<String> names = new ArrayList<>();

  @Override
  public boolean isJob() {
    return true;
  }

  @Override
  protected boolean run() {
    return UidAssignment.assign(session(), UidKind.METRIC, names);
  }
}
