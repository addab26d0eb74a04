package org.hourstone.tsd.command;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import org.hourstone.DaemonSettings;
import org.hourstone.Tsdb;
import org.hourstone.api.Telnet;
import org.hourstone.error.RequestException;
import org.hourstone.kv.StoreException;
import org.hourstone.tsd.session.CommandException;
import org.hourstone.tsd.session.Problem;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.tsd.session.UsageException;
import org.hourstone.tsd.terminal.Plurals;
import org.hourstone.uid.NoSuchNameException;
import org.hourstone.uid.UidAssignmentException;
import org.hourstone.write.LineSource;
import org.hourstone.write.PointWriter;
import org.hourstone.write.Receipt;
import org.hourstone.write.SingleLine;
import org.hourstone.write.TextPoints;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code put}. */
@Command(
    name = "put",
    description = {
      "Stores the points of lines 'put METRIC TIME VALUE TAG=VALUE…', as collectors send them to"
          + " OpenTSDB over telnet.",
      "",
      "Rejected lines are reported with their number; the others are stored. The exit status is"
          + " 0 only if none was rejected."
    },
    footer = {
      "  echo \"put sys.cpu.user $(date +%%s) 42.5 host=web01 cpu=0\" | hourstone put -",
      "  collector | hourstone put -"
    })
public final class PutCommand extends SessionCommand {
  static final int MAX_LINE_BYTES = 1024;

  private static final String PUT = "put ";

  /** The maximum number of lines of known series that are handed over together. */
  private static final int MOST_TOGETHER = 4096;

  private final LongAdder stored = new LongAdder();
  private final ConcurrentLinkedQueue<Failure> failures = new ConcurrentLinkedQueue<>();
  private long rejected;

  @Parameters(
      arity = "0..*",
      paramLabel = "FILE",
      description = "A file of lines; - for standard input.")
  List<String> files = new ArrayList<>();

  private String file = ImportInput.STANDARD_INPUT;

  private record Failure(long line, RuntimeException reason) {}

  /** Counts stored points, and keeps failures for the thread that reads the lines. */
  private final class CountingReceipt implements Receipt {
    @Override
    public void stored(long line) {
      stored.increment();
    }

    @Override
    public void stored(long[] lines, int from, int to) {
      stored.add(to - from);
    }

    @Override
    public void failed(long line, RuntimeException reason) {
      failures.add(new Failure(line, reason));
    }
  }

  @Override
  public String whenInUse() {
    return "if that is a daemon, send the lines to its port, "
        + session().settings().options().text(DaemonSettings.PORT)
        + " by these settings, or their points by import (--server URL names a daemon elsewhere)";
  }

  @Override
  protected boolean run() {
    if (files.size() > 1) {
      throw new UsageException(
          "put reads lines from one file, or from standard input: echo 'put METRIC TIME VALUE"
              + " TAG=VALUE' | hourstone put -");
    }
    file = files.isEmpty() ? file : files.get(0);
    @Nullable RuntimeException broken;
    try (ImportInput input = ImportInput.open(file, session().streams().in());
        Tsdb db = session().store().open()) {
      broken = putAll(lines(input), db.writer());
    }
    out().line(storedPoints() + ", " + Plurals.count(rejected, "line") + " rejected");
    if (broken != null) {
      throw broken;
    }
    return rejected == 0;
  }

  private LineSource lines(ImportInput input) {
    return LineSource.telnet(
        input.lines(), MAX_LINE_BYTES, session().settings().options().lineDialect());
  }

  private String storedPoints() {
    return Plurals.count(stored.sum(), "point") + " stored";
  }

  /** Puts lines until they end, or until no more can be put; returns the reason in that case. */
  private @Nullable RuntimeException putAll(LineSource lines, PointWriter writer) {
    Receipt receipt = new CountingReceipt();
    session().ending().countsStored(stored::sum);
    if (session().inIsTerminal() && file.equals(ImportInput.STANDARD_INPUT)) {
      session().status().end(); // it would be written among the typed lines
    } else {
      session().status().show(this::storedPoints);
    }
    session().ending().whenStopped(() -> "at least " + storedPoints() + "; stopped");
    RuntimeException broken = null;
    try {
      TextPoints known = writer.telnetPoints();
      String line = "";
      while (line != null && failures.isEmpty()) {
        if (lines.addTelnetLines(known, MOST_TOGETHER) > 0) {
          known.send(receipt);
        } else {
          line = lines.next();
          if (line != null) {
            putOne(line, lines, writer, receipt);
          }
        }
      }
    } catch (IOException e) {
      broken = new CommandException(file + ": " + Problem.reason(e), e);
    } catch (StoreException e) {
      session()
          .ending()
          .failed(e); // if the writer has run out of memory, that is the one line to report
      reject(lines.lineNumber(), String.valueOf(e.getMessage()));
      broken = e;
    } catch (Error e) {
      session().ending().failed(e); // before the database is closed
      throw e;
    }
    writer.flush();
    Failure first = failures.peek();
    if (first != null) {
      session().ending().failed(first.reason()); // as above
    }
    for (Failure failure : failures) {
      reject(failure.line(), String.valueOf(failure.reason().getMessage()));
      broken = broken == null ? failure.reason() : broken;
    }
    return broken;
  }

  private void putOne(String line, LineSource lines, PointWriter writer, Receipt receipt) {
    if (lines.problem() != null) {
      reject(lines.lineNumber(), "put: " + lines.problem());
      return;
    }
    if (line.isBlank()) {
      return;
    }
    try {
      writer.putTelnetLine(line, receipt, lines.lineNumber());
    } catch (RequestException | NoSuchNameException | UidAssignmentException e) {
      boolean isPut = line.startsWith(PUT); // else it is an unknown command
      reject(lines.lineNumber(), isPut ? Telnet.refusalOfPut(e) : String.valueOf(e.getMessage()));
    }
  }

  private void reject(long line, String reason) {
    rejected++;
    session().err().println(file + ":" + line + ": " + SingleLine.of(reason));
  }
}
