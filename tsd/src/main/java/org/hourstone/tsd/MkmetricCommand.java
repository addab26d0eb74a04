package org.hourstone.tsd;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
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
final class MkmetricCommand implements Callable<Integer> {
  private final Session session;

  @Parameters(arity = "1..*", paramLabel = "NAME", description = "Names of new metrics.")
  List<String> names = new ArrayList<>();

  MkmetricCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    return UidAssignment.assign(session, UidKind.METRIC, names);
  }
}
