package org.hourstone.tsd.session;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.hourstone.Tsdb;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.JobCommands;
import org.hourstone.error.RequestException;
import org.hourstone.tsd.terminal.StandardInput;
import org.hourstone.tsd.terminal.Streams;

/** Commands of the command line as jobs of a daemon, over its database. Thread-safe. */
public final class DaemonJobs implements JobCommands {
  private static final int COLUMNS = 100;

  private final Session daemon;
  private final Tsdb db;
  private final String store;

  public DaemonJobs(Session daemon, Tsdb db) {
    this.daemon = daemon;
    this.db = db;
    this.store = place(daemon.settings().storeUri());
  }

  /** A store's URI; that of a directory has its real path, so that two can be compared. */
  static String place(String uri) {
    Path directory = RocksDbPlace.directory(GivenSettings.parse(uri));
    return directory == null ? uri : "rocksdb:" + RocksDbPlace.real(directory);
  }

  @Override
  public String store() {
    return store;
  }

  @Override
  public Command parse(List<String> words) {
    String[] line = words.toArray(new String[0]);
    try {
      String kind = daemon.commands().job(session(new Ignored()), line);
      return new Command(kind, output -> run(line, output));
    } catch (UsageException | RequestException e) {
      throw new ApiException(ApiException.BAD_REQUEST, String.valueOf(e.getMessage()));
    }
  }

  private boolean run(String[] line, JobOutput output) {
    try {
      return daemon.commands().runJob(session(output), line);
    } catch (RuntimeException e) {
      Problem problem = Problem.of(e);
      if (problem.exitCode() == ExitCode.BUG) {
        throw e;
      }
      throw new ApiException(ApiException.INTERNAL_ERROR, problem.message());
    }
  }

  private Session session(JobOutput output) {
    Streams streams =
        new Streams(
            StandardInput.CLOSED,
            new Lines(output),
            new Lines(output),
            false,
            false,
            COLUMNS,
            Map.of());
    return Session.ofJob(streams, daemon, db, output);
  }

  /** For a command that is only parsed. */
  private static final class Ignored implements JobOutput {
    @Override
    public void line(String text) {}

    @Override
    public void progress(long rows, int done, int parts) {}

    @Override
    public boolean isCancelled() {
      return false;
    }
  }

  /** Passes on each line when it is complete. */
  private static final class Lines extends OutputStream {
    private final JobOutput output;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    Lines(JobOutput output) {
      this.output = output;
    }

    @Override
    public synchronized void write(int octet) {
      if (octet == '\n') {
        output.line(line.toString(StandardCharsets.UTF_8));
        line.reset();
      } else {
        line.write(octet);
      }
    }
  }
}
