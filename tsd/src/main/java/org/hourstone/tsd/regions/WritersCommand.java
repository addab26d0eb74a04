package org.hourstone.tsd.regions;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.hourstone.Tsdb;
import org.hourstone.head.WriterJournal;
import org.hourstone.head.WriterJournal.Loss;
import org.hourstone.head.WriterJournal.State;
import org.hourstone.head.WriterJournals;
import org.hourstone.tool.Admin;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.tsd.session.UsageException;
import org.hourstone.tsd.terminal.Plurals;
import org.hourstone.write.SingleLine;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code writers}. */
@Command(
    name = "writers",
    description = {
      "Shows the writers of a shared store (hourstone.head.writer) and their journals: until when"
          + " the lease of each runs, by the store's clock, its records, and which rows are not"
          + " compacted because of it: those with cells newer than a time.",
      "",
      "--take-over writes the points of a dead writer to their rows now. Its process, if it is only"
          + " paused, acknowledges nothing more until it is started again. A writer whose lease"
          + " (its own hourstone.head.lease_seconds) has not run out is refused.",
      "",
      "--delete is for a journal that can't be read. It shows how many records and points would be"
          + " lost; nothing is deleted without --yes."
    },
    footer = {"  hourstone writers", "  hourstone writers tsd1.example.org --take-over"})
public final class WritersCommand extends SessionCommand {
  @Parameters(index = "0", arity = "0..1", paramLabel = "NAME", description = "Only this writer.")
  @Nullable String name;

  @Option(names = "--take-over", description = "Writes the points of its journal to their rows.")
  boolean takeOver;

  @Option(names = "--delete", description = "Shows what deleting its journal would lose.")
  boolean delete;

  @Option(names = "--yes", description = "Deletes the journal.")
  boolean yes;

  @Override
  public boolean isJob() {
    return true;
  }

  @Override
  protected void check() {
    if (takeOver && delete) {
      throw new UsageException("--take-over or --delete");
    }
    if (yes && !delete) {
      throw new UsageException("--yes is for --delete");
    }
    if ((takeOver || delete) && name == null) {
      throw new UsageException("the name of the writer is missing");
    }
  }

  @Override
  protected boolean run() {
    boolean changes = takeOver || yes;
    try (Tsdb db = changes ? session().store().openExisting() : session().store().openToRead()) {
      WriterJournals journals = Admin.of(db).writerJournals();
      String writer = name;
      if (writer == null || !(takeOver || delete)) {
        return show(journals.all());
      } else if (takeOver) {
        out().line("written: " + Plurals.count(journals.takeOver(writer), "row"));
      } else {
        out().line((yes ? "lost: " : "would be lost: ") + text(journals.delete(writer, yes)));
      }
      return true;
    }
  }

  /** Returns whether there is the one that is asked for. */
  private boolean show(List<WriterJournal> all) {
    List<WriterJournal> shown =
        all.stream().filter(each -> name == null || each.name().equals(name)).toList();
    if (shown.isEmpty()) {
      out().line(name == null ? "no writers" : "no writer " + SingleLine.of(name));
      return name == null;
    }
    line("writer", "state", "epoch", "lease until", "records", "bytes", "not compacted after");
    for (WriterJournal each : shown) {
      line(
          SingleLine.of(each.name()),
          each.state().name().toLowerCase(Locale.ROOT),
          each.epoch() == 0 ? "-" : each.epoch(),
          each.state() == State.CLOSED ? "-" : Instant.ofEpochMilli(each.leaseEnd()),
          Plurals.number(each.records()),
          Plurals.number(each.bytes()),
          keptAfter(each));
    }
    return true;
  }

  /** The time after which cells keep their row from being compacted. */
  private static String keptAfter(WriterJournal writer) {
    if (writer.state() == State.CLOSED) {
      return "-";
    }
    return writer.sealedUntil() == 0
        ? "all rows"
        : Instant.ofEpochMilli(writer.sealedUntil()).toString();
  }

  private static String text(Loss loss) {
    return Plurals.count(loss.records(), "record")
        + " of "
        + Plurals.count(loss.bytes(), "byte")
        + " with "
        + Plurals.count(loss.points(), "point")
        + ", and the points of "
        + Plurals.count(loss.unreadable(), "record")
        + " of these that can't be read and of "
        + Plurals.number(loss.missing())
        + " that are missing";
  }

  private void line(Object... columns) {
    out()
        .line(
            String.format(Locale.ROOT, "%-24s  %-7s  %13s  %-24s  %8s  %11s  %s", columns)
                .stripTrailing());
  }
}
